import { describe, expect, it } from 'vitest'
import { TrainerCalls, trainerCall } from '@/lib/service/trainer-calls'

const seen = {
  method: 'POST',
  path: '/runs/r1/batches',
  client: 'envsched.py/0.1.0',
  from: '10.0.0.1',
  bearer: true,
  who: { name: 'trainer', scope: 'report' as const },
  status: 200,
  code: null,
  message: null,
  answer: {},
  at: 1,
  milliseconds: 2,
}

describe('calls of trainers', () => {
  it('are told by path, with the run of a start from its answer', () => {
    expect(trainerCall(seen)).toMatchObject({ kind: 'batch', run: 'r1', token: 'trainer' })
    expect(trainerCall({ ...seen, path: '/runs', answer: { id: 'r2' } })).toMatchObject({ kind: 'run', run: 'r2' })
    expect(trainerCall({ ...seen, path: '/runs', answer: null })).toMatchObject({ kind: 'run', run: null })
    expect(trainerCall({ ...seen, path: '/task-sets', answer: { id: 's' } })).toMatchObject({
      kind: 'task_set',
      run: null,
    })
    expect(trainerCall({ ...seen, path: '/runs/a%2/rollouts' })).toMatchObject({ kind: 'report', run: 'a%2' })
  })

  it('are not those of pages or of other tools that only read, but refused ones are', () => {
    expect(trainerCall({ ...seen, client: 'Mozilla/5.0', bearer: false, status: 401, who: null })).toBeNull()
    expect(trainerCall({ ...seen, client: 'curl/8', method: 'GET', path: '/runs/r1' })).toBeNull()
    const refused = { ...seen, client: 'node', method: 'GET', path: '/runs', bearer: false, status: 401, who: null }
    expect(trainerCall(refused)).toMatchObject({ kind: 'other', token: null, status: 401 })
  })

  it('are bounded, the oldest go', () => {
    const calls = new TrainerCalls(0)
    const call = trainerCall(seen)
    if (call === null) throw new Error('not remembered')
    for (let i = 0; i < 2000; i += 1) calls.note({ ...call, at: i })
    expect(calls.calls().length).toBeLessThanOrEqual(500)
    expect(calls.calls().at(-1)?.at).toBe(1999)
  })

  it('gather refused rollouts by what is said, names apart, and bounded', () => {
    const calls = new TrainerCalls(0)
    const items = Array.from({ length: 600 }, (_, i) => ({ environment: 'AIR', task: `a-${String(i)}`, reward: 1 }))
    const rejected = items.map(({ task }, index) => ({
      index,
      id: null,
      reason: `there is no task "${task}" in environment "AIR"`,
    }))
    calls.noteReport('r1', items, { accepted: 0, duplicates: 0, untrusted: {}, rejected }, 5)
    const [note] = calls.reports('r1')
    expect(note).toMatchObject({ refused: 600, accepted: 0 })
    const [reason] = [...(note?.reasons.values() ?? [])]
    expect(reason?.count).toBe(600)
    expect(reason?.names.length).toBe(200)
    expect(reason?.names[0]).toEqual({ reason: rejected[0]?.reason, environment: 'AIR', task: 'a-0', lease: null })
    expect(JSON.stringify(note?.reasons.get('there is no task "" in environment ""'))).not.toContain('reward')
    calls.noteReport(
      'r1',
      ['text', null],
      { accepted: 0, duplicates: 0, untrusted: {}, rejected: [{ index: 1, id: null, reason: 'x' }] },
      6,
    )
    expect(calls.reports('r1')).toHaveLength(2)
    expect(calls.reports('other')).toEqual([])
  })

  it('stay small whatever a trainer sends', () => {
    const calls = new TrainerCalls(0)
    const long = 'x'.repeat(5000)
    const items = Array.from({ length: 2000 }, () => ({ environment: long, task: long, lease: long }))
    const rejected = items.map((_, index) => ({ index, id: null, reason: `${long} ${String(index % 40)} "${long}"` }))
    const apart = rejected.map((one, index) => ({ ...one, reason: `${String(index % 40)} ${long}` }))
    for (const refused of [rejected, apart])
      calls.noteReport('r', items, { accepted: 0, duplicates: 0, untrusted: {}, rejected: refused }, 1)
    const [, note] = calls.reports('r')
    expect(note?.reasons.size).toBe(20)
    for (const { names } of note?.reasons.values() ?? []) expect(names.length).toBeGreaterThan(0)
    for (const { reasons } of calls.reports('r')) {
      const names = [...reasons.values()].flatMap((reason) => reason.names)
      expect(names.length).toBeLessThanOrEqual(420)
      for (const name of names) for (const text of Object.values(name)) expect(text.length).toBeLessThanOrEqual(500)
    }
    for (let i = 0; i < 500; i += 1)
      calls.noteReport(`run ${String(i)}`, [], { accepted: 1, duplicates: 0, untrusted: {}, rejected: [] }, i)
    expect(calls.reports('run 0')).toEqual([])
    expect(calls.reports('run 499')).toHaveLength(1)
    const call = trainerCall({ ...seen, path: `/runs/${long}/batches`, status: 404, message: long })
    expect(JSON.stringify(call).length).toBeLessThan(2000)
  })
})
