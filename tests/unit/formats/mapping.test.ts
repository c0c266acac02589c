import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { mappingOf } from '@/lib/formats/mapping'
import { readFiles } from '@/lib/formats/read-files'
import type { SourceFile } from '@/lib/formats/source-file'
import { SYSTEMS } from '@/lib/formats/systems'

const forms = SYSTEMS.flatMap((system) => system.forms)
const exampleOf = (kind: string, row: Record<string, unknown>, here: string) =>
  forms
    .filter((form) => form.kind === kind)
    .flatMap((form) => mappingOf(form, row))
    .find((field) => field.here === here)?.example

function fileOf(name: string, text: string): SourceFile {
  return {
    name,
    async *open() {
      yield new TextEncoder().encode(text)
    },
  }
}

describe('how a file is read', () => {
  it('takes examples by path, and says null where the row does not hold them', () => {
    const row = { environment: 'shop', task: 7, reward: 0.93 / 3, model: '', tools: ['a', 'b'], turns: 0 }
    expect(exampleOf('rollout-lines', row, 'task')).toBe('7')
    expect(exampleOf('rollout-lines', row, 'reward')).toBe('0.31')
    expect(exampleOf('rollout-lines', row, 'turns')).toBe('0')
    expect(exampleOf('rollout-lines', row, 'tools called')).toBe('a, b')
    expect(exampleOf('rollout-lines', row, 'policy version')).toBeNull()
    expect(exampleOf('tau-trials', { traj: [{ content: '# Airline\nAgent' }, {}] }, 'environment')).toBe(
      '# Airline Agent',
    )
    expect(exampleOf('tau-trials', { traj: [{}, {}] }, 'messages')).toBe('a list of 2')
    expect(exampleOf('tau-trials', {}, 'policy version')).toBeNull()
    expect(exampleOf('bfcl-tasks', { question: 'x'.repeat(500) }, 'task text')).toHaveLength(80)
  })

  it('is told for every form, whose words are its own', () => {
    expect(new Set(forms.map(({ kind }) => kind)).size).toBe(forms.length)
    for (const form of forms) if (form.fileOnly === undefined) expect(mappingOf(form, {}).length).toBeGreaterThan(2)
  })

  it('comes with what was found in real fixtures', async () => {
    const kitchen = 'tests/fixtures/formats/kitchen/tasks.json'
    const source = await readFiles([fileOf('tasks.json', readFileSync(kitchen, 'utf8'))])
    expect(source.tally.mapping.find(({ here }) => here === 'task')?.example).toEqual(expect.any(String))
    expect(source.tally.environments.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(source.taskSet?.tasks.length)
    const skipped = source.skipped.reduce((sum, { count }) => sum + count, 0)
    expect(source.tally.rows - source.tally.kept).toBe(skipped)
  })

  it('knows a form whose first row is broken, and an empty file from an unknown one', async () => {
    const good = JSON.stringify({ environment: 'e', task: 't', reward: 1 })
    const source = await readFiles([fileOf('a.jsonl', `{"task":"t"}\n${good}\n${good}`)])
    expect(source).toMatchObject({ rollouts: 2, skipped: [{ reason: 'a rollout without an environment', lines: [1] }] })
    expect(source.tally).toMatchObject({ rows: 3, kept: 2, statuses: { ok: 2 } })
    expect([...source.groupSizes]).toEqual([[2, 1]])
    await expect(readFiles([fileOf('a.json', ' ')])).rejects.toThrow('a.json is empty: there is nothing to read.')
    await expect(readFiles([fileOf('a.json', ''), fileOf('b.json', '1')])).rejects.toThrow(
      'holds no form that is known',
    )
  })
})

describe('rollout lines that tell their policy version', () => {
  const line = (more: object) => JSON.stringify({ environment: 'e', task: 't', reward: 1, ...more })
  const read = (rows: object[]) => readFiles([fileOf('a.jsonl', rows.map(line).join('\n'))])

  it.each(['policy_version', 'policyVersion', 'weights_version', 'global_step', 'step'])('reads %s', async (name) => {
    const source = await read([
      { model: 'm', [name]: 4 },
      { model: 'm', [name]: 0 },
      { model: 'm', [name]: '4' },
    ])
    expect(source.ladder.map(({ policyVersion, groups }) => [policyVersion, groups])).toEqual([
      [0, 1],
      [4, 1],
    ])
    const [first, second] = [...source.groups]
    expect([first?.rollouts.length, second?.rollouts.length]).toEqual([1, 2])
    expect(new Set([...source.groups].flatMap(({ rollouts }) => rollouts.map(({ id }) => id))).size).toBe(3)
    const mapping = source.tally.mapping
    expect(mapping.find(({ here }) => here === 'policy version')).toMatchObject({ from: name, example: '4' })
    expect(mapping.find(({ here }) => here === 'model')).toMatchObject({ from: 'model' })
  })

  it('makes up no version where only some rows tell one, or tell nonsense', async () => {
    const source = await read([{ step: 7 }, { step: 2 }, { step: -1 }, { step: 1.5 }, { step: null }])
    expect(source.ladder.map(({ policyVersion }) => policyVersion)).toEqual([0, 1, 2])
    expect([...source.groups].map(({ rollouts }) => rollouts.length)).toEqual([3, 1, 1])
  })

  it('names the columns that nothing reads', async () => {
    const source = await read([{ policy_version: 1, group: 'g', step: 3 }])
    const unused = source.tally.mapping.filter(({ here }) => here === 'not used')
    expect(unused.map(({ from, example }) => [from, example])).toEqual([
      ['group', 'g'],
      ['step', '3'],
    ])
  })

  it('counts an ok rollout without a reward as untrusted, not as ok', async () => {
    const source = await read([{}, { reward: null }, { reward: 0 }])
    expect(source.tally.statuses).toEqual({ ok: 2, reward_missing: 1 })
  })
})
