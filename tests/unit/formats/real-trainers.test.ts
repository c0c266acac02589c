/** Real files of trainers and benchmarks, read whole; what is expected is counted in the files, row by row, by other code. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { describe, expect, test } from 'vitest'
import { rolloutInput } from '@/lib/contract/rollout'
import { taskSetInput } from '@/lib/contract/task-set'
import { readFiles } from '@/lib/formats/read-files'
import { dataMissing, shared, sharedData } from './source-files'

/** members of the rows that are counted here, of all systems */
interface Line {
  reward?: number | null
  completion?: unknown
  completions?: { score: number }[]
  scores?: number[]
  state?: { success: boolean }
  responses_create_params?: { tools?: { name: string }[] }
  response?: { output?: { type: string }[] }
  name?: string
  is_success?: boolean
  environment?: string
  task?: string
  model?: string
}

async function read(folder: string) {
  const source = await readFiles(shared(`native/${folder}`))
  const set = taskSetInput.parse(source.taskSet)
  const groups = [...source.groups]
  const rollouts = groups.flatMap((group) => group.rollouts)
  for (const rollout of rollouts) rolloutInput.parse(rollout)
  const rewards = rollouts.flatMap(({ reward }) => (typeof reward === 'number' ? [reward] : []))
  return { source, set, groups: groups.length, rollouts, rewards }
}

const text = (name: string) => readFileSync(path.join(sharedData, 'native', name), 'utf8')
const json = (name: string) => JSON.parse(text(name))
const names = (folder: string) => shared(`native/${folder}`).map(({ name }) => name)
const lines = (name: string): Line[] =>
  text(name)
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]))
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

describe.skipIf(dataMissing)('native files', () => {
  test('verifiers: every row of every file that is there; runs that never began have no reward', async () => {
    const files = names('verifiers').filter((name) => name.endsWith('.jsonl'))
    const pointers = files.filter((name) => text(name).startsWith('version https://git-lfs'))
    const rows = files.filter((name) => !pointers.includes(name)).flatMap(lines)
    const empty = rows.filter((row) => JSON.stringify(row.completion) === '[]')
    const { source, rollouts, rewards, set } = await read('verifiers')
    expect([rollouts.length, source.untrusted]).toEqual([rows.length, { status: empty.length }])
    expect(sum(rewards)).toBe(sum(rows.flatMap((row) => (empty.includes(row) ? [] : [row.reward ?? 0]))))
    expect(source.skipped.map(({ files: of }) => of)).toEqual([pointers.length])
    expect(set.environments.map(({ key }) => key).sort()).toEqual(['arc-agi-3', 'gsm8k'])
  })

  test('NeMo-Gym: every line is a rollout, its tools are declared, its range too', async () => {
    const rows = names('nemo-gym').flatMap(lines)
    const given = rows.flatMap((row) => (typeof row.reward === 'number' ? [row.reward] : []))
    const tools = new Set(rows.flatMap((row) => row.responses_create_params?.tools ?? []).map(({ name }) => name))
    const { source, rollouts, rewards, set } = await read('nemo-gym')
    expect([rollouts.length, source.untrusted]).toEqual([rows.length, { reward_missing: rows.length - given.length }])
    expect(sum(rewards)).toBeCloseTo(sum(given), 9)
    expect(new Set(set.environments.flatMap((one) => (one.tools ?? []).map(({ name }) => name)))).toEqual(tools)
    const ranges = set.environments.flatMap(({ rewardRange }) => (rewardRange === undefined ? [] : [rewardRange]))
    expect(ranges).toEqual([
      [-1, 1],
      [0, 2],
    ])
    const calls = rows.flatMap((row) => row.response?.output ?? [])
    const called = rollouts.flatMap((rollout) => rollout.tools ?? [])
    expect(called).toHaveLength(calls.filter(({ type }) => type === 'function_call').length)
  })

  test('Atropos, reasoning-gym, MINT', async () => {
    const groups = names('atropos').flatMap(lines)
    const atropos = await read('atropos')
    expect(atropos.rollouts).toHaveLength(sum(groups.map((row) => row.scores?.length ?? 0)))
    const results = names('reasoning-gym-eval').flatMap((name) => json(name).results as Line[])
    const scores = results.flatMap((row) => (row.completions ?? []).map(({ score }) => score))
    const gym = await read('reasoning-gym-eval')
    expect([gym.groups, gym.rollouts.length]).toEqual([results.length, scores.length])
    expect(sum(gym.rewards)).toBeCloseTo(sum(scores), 9)
    const rows = names('mint-bench').flatMap(lines)
    const mint = await read('mint-bench')
    const solved = rows.filter((row) => row.state?.success === true)
    expect([mint.rollouts.length, sum(mint.rewards)]).toEqual([rows.length, solved.length])
  })

  test('InterCode, SWE-bench-Pro, Reflexion', async () => {
    const problems = names('intercode').flatMap(
      (name) => Object.values(json(name)) as { summary: { max_reward: number } }[],
    )
    const shell = await read('intercode')
    expect(shell.rollouts).toHaveLength(problems.length)
    expect(sum(shell.rewards)).toBeCloseTo(sum(problems.map(({ summary }) => summary.max_reward)), 9)
    const verdicts = names('swebench-pro').flatMap((name) => Object.values(json(name)))
    const swe = await read('swebench-pro')
    expect([swe.rollouts.length, sum(swe.rewards)]).toEqual([verdicts.length, verdicts.filter(Boolean).length])
    const [first, second] = names('reflexion').map((name) => json(name) as Line[])
    const open = new Set(first?.filter((row) => row.is_success !== true).map(({ name }) => name))
    const again = second?.filter(({ name }) => open.has(name)) ?? []
    const reflexion = await read('reflexion')
    expect(reflexion.rollouts).toHaveLength((first?.length ?? 0) + again.length)
    expect(sum(reflexion.rewards)).toBe([...(first ?? []), ...again].filter((row) => row.is_success === true).length)
    expect(reflexion.source.skipped.map(({ count }) => count)).toEqual([(second?.length ?? 0) - again.length])
  })

  test('a verl dataset in Parquet: its tasks, with the tool that their prompts describe', async () => {
    const name = 'parquet-verl-style/deepeyes_mini_10.parquet'
    const file = await asyncBufferFromFile(path.join(sharedData, 'native', name))
    const rows = await parquetReadObjects({ file, compressors })
    const { set } = await read('parquet-verl-style')
    expect(set.tasks).toHaveLength(rows.length)
    expect(new Set(set.environments.map(({ key }) => key))).toEqual(new Set(rows.map((row) => row.data_source)))
    const described = /"name": ?"(\w+)"/.exec(JSON.stringify(rows[0]?.prompt).replaceAll('\\', ''))?.[1]
    expect(set.tasks[0]?.tools).toEqual([described])
  })
})

describe.skipIf(dataMissing)('rewards brought to one shape', () => {
  test.each(['verifiers', 'nemo-gym', 'reflexion', 'intercode', 'swebench-pro'])('%s', async (name) => {
    const packed = readFileSync(path.join(sharedData, 'rollouts', `${name}.jsonl.gz`))
    const rows = gunzipSync(packed)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
    const groups = new Set(rows.map(({ environment, task, model }) => JSON.stringify([environment, task, model])))
    const source = await readFiles(shared(`rollouts/${name}.jsonl.gz`))
    const missing = rows.filter(({ reward }) => reward === null).length
    expect([source.rollouts, [...source.groupSizes.values()].reduce((all, count) => all + count, 0)]).toEqual([
      rows.length,
      groups.size,
    ])
    expect(source.untrusted.reward_missing ?? 0).toBe(missing)
    expect(source.skipped).toEqual([])
  })
})
