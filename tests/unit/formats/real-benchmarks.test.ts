/**
 * Real task sets and results of benchmarks, read whole; what is expected is counted in the files, row by row, by other code.
 * Skipped where the data is not there.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import yauzl from 'yauzl'
import { rolloutInput } from '@/lib/contract/rollout'
import { taskSetInput } from '@/lib/contract/task-set'
import { readFiles } from '@/lib/formats/read-files'
import { dataMissing, shared, sharedData } from './source-files'

interface Entry {
  id: string
  ground_truth: unknown[]
  mile_stone?: unknown[]
  involved_classes?: string[]
  initial_config?: Record<string, object>
  function?: { name: string }[]
  missed_function?: object
  name: string
  reward: number
  info: { error?: string; reward_info: object | null }
  traj: { role: string; tool_calls?: unknown[] | null }[]
  result: unknown[]
  correct_count: number
}
interface Simulation {
  termination_reason: string
  reward_info?: { reward: number } | null
  messages?: { role: string; tool_calls?: { requestor: string }[] | null }[]
}
interface Scenario {
  required_documents?: string[]
  evaluation_criteria: { actions?: { requestor?: string }[] | null; reward_basis?: string[]; env_assertions?: object[] }
}

const file = (name: string) => readFileSync(path.join(sharedData, name), 'utf8')
const lines = (name: string): Entry[] =>
  file(name)
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]))
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
const names = (folder: string, pattern: RegExp) =>
  shared(folder).flatMap(({ name }) => (pattern.test(name) ? [name] : []))

async function read(...folders: string[]) {
  const source = await readFiles(folders.flatMap((folder) => shared(folder)))
  const set = taskSetInput.parse(source.taskSet)
  const rollouts = [...source.groups].flatMap((group) => group.rollouts.map((rollout) => rolloutInput.parse(rollout)))
  const rewards = rollouts.flatMap(({ reward }) => (typeof reward === 'number' ? [reward] : []))
  const tools = sum(rollouts.map((rollout) => rollout.tools?.length ?? 0))
  return { source, set, rollouts, rewards, tools }
}

/** Names before an opening bracket that is no part of another call, told character by character. */
function namesCalled(text: string): string[] {
  const found: string[] = []
  let depth = 0
  let word = ''
  for (const letter of text) {
    if (letter === '(') {
      if (depth === 0 && word !== '') found.push(word)
      depth += 1
    } else if (letter === ')') depth = Math.max(0, depth - 1)
    word = /[\w.]/.test(letter) ? word + letter : ''
  }
  return found
}

/** Answers write a class in three ways. */
const plain = (state: string) => state.toLowerCase().replace(/a?pi\./, '.')

describe.skipIf(dataMissing)('task sets of benchmarks', () => {
  test('BFCL: functions of the documents, calls of the answers, states and what a missing function asks for', async () => {
    const { set } = await read('tasksets/bfcl')
    const answers = new Map(
      names('tasksets/bfcl/possible_answer', /json$/)
        .flatMap((name) => lines(`tasksets/bfcl/${name}`))
        .map((row) => [row.id, row]),
    )
    const rows = names('tasksets/bfcl', /^bfcl\/BFCL/).flatMap((name) => lines(`tasksets/${name}`))
    expect(set.tasks.map(({ key }) => key).sort()).toEqual(rows.map(({ id }) => id).sort())
    const counted = { calls: 0, states: 0, missing: 0, silent: 0 }
    for (const row of rows) {
      const truth = answers.get(row.id)?.ground_truth ?? []
      for (const turn of truth) {
        const calls = Array.isArray(turn)
          ? turn.flatMap((call) => namesCalled(String(call)))
          : Object.keys(turn as object)
        counted.calls += calls.length
      }
      counted.states += sum(
        Object.values(row.initial_config ?? {}).map((state) => Math.max(1, Object.keys(state).length)),
      )
      if (row.missed_function !== undefined) counted.missing += 1
      else if (truth.some((turn) => Array.isArray(turn) && turn.length === 0)) counted.silent += 1
    }
    const having = (check: string) => set.tasks.filter(({ checks }) => checks?.includes(check)).length
    expect({
      calls: sum(set.tasks.map(({ tools }) => tools?.length ?? 0)),
      states: sum(set.tasks.map(({ state }) => state?.length ?? 0)),
      missing: having('waits for a missing function'),
      silent: having('asks where no call can be made'),
    }).toEqual(counted)
    const documents = new Map(
      names('tasksets/bfcl/multi_turn_func_doc', /json$/).map((name) => [
        name,
        lines(`tasksets/bfcl/${name}`).map((doc) => doc.name),
      ]),
    )
    const twitter = set.environments.find(({ key }) => key === 'TwitterAPI')
    const posting = documents.get('multi_turn_func_doc/posting_api.json') ?? []
    expect(posting.length).toBeGreaterThan(10)
    expect(twitter?.tools?.map(({ name }) => name)).toEqual(expect.arrayContaining(posting))
    const single = rows
      .filter(({ id }) => id.startsWith('simple_python'))
      .flatMap((row) => (row.function ?? []).map(({ name }) => name))
    expect(set.environments.find(({ key }) => key === 'simple_python')?.tools).toHaveLength(new Set(single).size)
  })

  test('ACEBench: milestones of one way, and every state that is compared', async () => {
    const { set } = await read('tasksets/acebench')
    const answers = ['multi_step', 'multi_turn'].flatMap((kind) =>
      lines(`tasksets/acebench/possible_answer/data_agent_${kind}.json`),
    )
    const calls = answers.map(({ mile_stone = [] }) =>
      (Array.isArray(mile_stone[0]) ? mile_stone[0] : mile_stone).flatMap((step) => namesCalled(String(step))),
    )
    const agent = new Map(set.tasks.flatMap((task) => (task.key.startsWith('agent') ? [[task.key, task]] : [])))
    expect(agent.size).toBe(answers.length)
    expect(answers.map(({ id }) => agent.get(id)?.tools)).toEqual(calls)
    for (const { id, ground_truth } of answers)
      for (const state of ground_truth)
        for (const [owner, fields] of Object.entries(state as Record<string, object>))
          for (const field of Object.keys(fields))
            expect(agent.get(id)?.state?.some((one) => plain(one) === plain(`${owner}.${field}`))).toBe(true)
    expect(set.tasks.filter(({ checks }) => checks?.includes('calls'))).toHaveLength(223)
  })

  test('tau2-bench: actions of the policy, documents and the basis of the reward', async () => {
    const { set } = await read('tasksets/tau2')
    for (const domain of ['airline', 'retail', 'banking_knowledge', 'mock']) {
      const scenarios: Scenario[] = JSON.parse(file(`tasksets/tau2/${domain}/tasks.json`))
      const tasks = set.tasks.filter(({ environment }) => environment === domain)
      const actions = scenarios
        .flatMap((one) => one.evaluation_criteria.actions ?? [])
        .filter((one) => one.requestor !== 'user')
      expect([domain, tasks.length, sum(tasks.map(({ tools }) => tools?.length ?? 0))]).toEqual([
        domain,
        scenarios.length,
        actions.length,
      ])
      scenarios.forEach(({ evaluation_criteria: criteria, required_documents: documents = [] }, at) => {
        expect(tasks[at]?.state).toEqual(expect.arrayContaining(documents))
        expect(tasks[at]?.checks).toEqual(expect.arrayContaining(criteria.reward_basis ?? ['DB', 'COMMUNICATE']))
      })
    }
  })
})

describe.skipIf(dataMissing)('results of benchmarks', () => {
  test('BFCL: as many passed as the scores say, also beside the task set', async () => {
    const folder = 'native/bfcl-v4'
    const results = names(folder, /_result\.json$/).map((name) => lines(`native/${name}`))
    const scores = names(folder, /_score\.json$/).map((name) => lines(`native/${name}`))
    const passed = sum(scores.map(([head]) => head?.correct_count ?? 0))
    const alone = await read(folder)
    const beside = await read(folder, 'tasksets/bfcl')
    for (const { rollouts, rewards } of [alone, beside])
      expect([rollouts.length, sum(rewards), rewards.length]).toEqual([
        results.flat().length,
        passed,
        results.flat().length,
      ])
    const called = JSON.stringify(results.map((rows) => rows.map(({ result }) => result))).match(/"[^"\\]+":"\{/g)
    expect(alone.tools).toBe(called?.length)
    expect(alone.source.skipped).toEqual([])
    const environments = new Set(beside.rollouts.map(({ environment }) => environment))
    expect(environments.has('TwitterAPI') && !environments.has('multi_turn_base')).toBe(true)
  })

  test('tau-bench: every trial, its calls, and those that nobody judged', async () => {
    const trials = names('native/tau-bench', /json$/).flatMap((name): Entry[] => JSON.parse(file(`native/${name}`)))
    const { rollouts, rewards, tools, source } = await read('native/tau-bench')
    expect([rollouts.length, rewards.length]).toEqual([trials.length, trials.length])
    expect(sum(rewards)).toBeCloseTo(sum(trials.map(({ reward }) => reward)), 9)
    expect(tools).toBe(sum(trials.flatMap(({ traj }) => traj.map((one) => one.tool_calls?.length ?? 0))))
    const open = trials.filter(({ info }) => info.reward_info === null).length
    expect(source.tally.statuses).toEqual({ ok: trials.length - open, truncated: open })
  })

  test('tau2-bench: every simulation of both layouts; calls of users are none of the policy', async () => {
    const parsed = names('native/tau2-bench', /json$/).map((name) => JSON.parse(file(`native/${name}`)))
    const simulations: Simulation[] = parsed.flatMap(
      (one) => one.simulations ?? (one.termination_reason === undefined ? [] : [one]),
    )
    const { rollouts, rewards, tools, source } = await read('native/tau2-bench')
    expect(rollouts).toHaveLength(simulations.length)
    expect(rewards.length).toBe(simulations.filter((one) => typeof one.reward_info?.reward === 'number').length)
    expect(sum(rewards)).toBe(sum(simulations.map((one) => one.reward_info?.reward ?? 0)))
    const messages = simulations.flatMap((one) => one.messages ?? []).filter(({ role }) => role === 'assistant')
    expect(tools).toBe(
      messages.flatMap((one) => one.tool_calls ?? []).filter((call) => call.requestor !== 'user').length,
    )
    const outside = simulations.filter((one) => one.termination_reason === 'infrastructure_error').length
    expect([source.untrusted.status, source.skipped]).toEqual([outside, []])
  })

  test('Inspect: every sample of every log, and its letters', async () => {
    const samples = (
      await Promise.all(
        names('native/inspect', /eval$/).map((name) => samplesOf(path.join(sharedData, 'native', name))),
      )
    ).flat()
    const { rollouts, rewards, source } = await read('native/inspect')
    expect(rollouts).toHaveLength(samples.length)
    const letters = samples.flatMap((text) =>
      Object.values<{ value: unknown }>(JSON.parse(text).scores).map(({ value }) => value),
    )
    expect([rewards.length, sum(rewards)]).toEqual([letters.length, letters.filter((letter) => letter === 'C').length])
    expect(rollouts.map(({ messages }) => JSON.stringify(messages)).join()).not.toContain('attachment://')
    expect(source.skipped.every(({ lines: of }) => of.length === 0)).toBe(true)
  })
})

function samplesOf(place: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const texts: string[] = []
    yauzl.open(place, { lazyEntries: true }, (cause, zip) => {
      if (cause !== null) return reject(cause)
      zip.on('entry', (entry: yauzl.Entry) => {
        if (!entry.fileName.startsWith('samples/')) return zip.readEntry()
        zip.openReadStream(entry, async (wrong, stream) => {
          if (wrong !== null) return reject(wrong)
          const parts: Uint8Array[] = []
          for await (const part of stream) parts.push(part as Uint8Array)
          texts.push(Buffer.concat(parts).toString('utf8'))
          zip.readEntry()
        })
      })
      zip.once('end', () => resolve(texts))
      zip.readEntry()
    })
  })
}
