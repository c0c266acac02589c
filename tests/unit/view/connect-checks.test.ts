import { describe, expect, it } from 'vitest'
import type { ConnectState, RefusedReason } from '@/lib/contract/connect'
import {
  allGreen,
  connectVerdict,
  lateBy,
  liveChecks,
  lostVerdict,
  outOfForce,
  reasonWords,
  watchNames,
} from '@/lib/view/connect-checks'

const AT = '2026-11-29T14:02:07.000Z'
const later = (seconds: number) => new Date(Date.parse(AT) + seconds * 1000).toISOString()

const nothing: ConnectState = {
  at: AT,
  since: AT,
  run: null,
  runs: [],
  lastCallAt: null,
  reached: null,
  taskSet: null,
  batch: null,
  report: null,
  unauthorised: [],
  faults: [],
}

const asked: ConnectState = {
  ...nothing,
  run: { id: 'r1', name: '8b', mode: 'choose', scheduler: 'envsched', startedAt: AT },
  reached: { at: AT, from: '10.0.4.18', client: 'envsched.py/0.1.0', token: 'trainer-a', scope: 'report' },
  taskSet: { at: AT, name: 'tools-10', tasks: 883, environments: 10, otherRuns: 5 },
  batch: { at: AT, index: 1, picks: 64, groupSize: 8, milliseconds: 38, rung: 'full' },
}

const report = { at: AT, accepted: 512, untrusted: 0, refused: 0, lastAt: AT, allRefused: false, reasons: [] }
const refusedReport = { ...report, at: null, accepted: 0, refused: 512, allRefused: true }
const refusal = {
  code: 'bad_token',
  message: 'not known',
  count: 3,
  lastAt: AT,
  from: '10.0.4.18',
  client: 'envsched.py/0.1.0',
  call: 'POST /runs',
}
const states = (state: ConnectState) => liveChecks(state).map((check) => check.state)

describe('the live check', () => {
  it('waits, then turns green one by one', () => {
    expect(states(nothing)).toEqual(['run', 'wait', 'wait', 'wait'])
    expect(states({ ...asked, batch: null })).toEqual(['ok', 'ok', 'run', 'wait'])
    expect(states(asked)).toEqual(['ok', 'ok', 'ok', 'run'])
    const green = { ...asked, report }
    expect(allGreen(liveChecks(green))).toBe(true)
    expect(connectVerdict(green).sentence).toBe('Connected: 8b asks, rolls out and reports, 512 rollouts so far.')
    expect(liveChecks(green)[0]?.text).toBe('From 10.0.4.18, with envsched.py 0.1.0, token trainer-a, scope report.')
  })

  it('needs no batch in shadow mode', () => {
    const run = { ...asked.run, id: 'r1', name: '8b', mode: 'shadow' as const, scheduler: 'envsched', startedAt: AT }
    expect(states({ ...asked, run, batch: null })).toEqual(['ok', 'ok', 'ok', 'run'])
    expect(connectVerdict({ ...asked, run, batch: null, report }).sentence).toBe(
      'Connected: 8b reports, 512 rollouts so far.',
    )
  })

  it('says that reports are refused, and is green again only after one is taken', () => {
    const bad = { ...asked, report: refusedReport }
    expect(states(bad)).toEqual(['ok', 'ok', 'ok', 'bad'])
    expect(connectVerdict(bad).sentence).toContain('its reports are refused')
    expect(states({ ...asked, report: { ...report, allRefused: true, refused: 8 } }).at(-1)).toBe('bad')
    expect(states({ ...asked, report: { ...report, refused: 8 } }).at(-1)).toBe('ok')
  })

  it('says that a token is refused, before and beside a run', () => {
    const refused = { ...nothing, unauthorised: [refusal] }
    expect(states(refused)[0]).toBe('bad')
    expect(liveChecks(refused)[0]?.text).toBe('3 calls from 10.0.4.18 with envsched.py 0.1.0 were refused.')
    expect(connectVerdict(refused).sentence).toBe('A trainer is refused: 3 calls came with a token that may not do it.')
    expect(connectVerdict({ ...asked, report, unauthorised: [refusal] }).sentence).toContain('A trainer is refused')
  })

  it('says that a batch went out and nothing came back, after ten minutes', () => {
    expect(lateBy({ ...asked, at: later(600) })).toBeNull()
    expect(lateBy({ ...asked, at: later(660) })).toBe(660)
    expect(lateBy({ ...asked, at: later(660), report })).toBeNull()
    expect(connectVerdict({ ...asked, at: later(720) }).sentence).toBe(
      'Nearly connected: batches go out, but nothing is reported.',
    )
  })

  it('says why a task set or a batch was refused', () => {
    const fault = { ...refusal, code: 'invalid', message: 'The task set does not fit.', call: 'POST /task-sets' }
    expect(liveChecks({ ...nothing, faults: [fault] })[1]).toMatchObject({
      state: 'bad',
      text: '3 calls refused: The task set does not fit.',
    })
    const batch = { ...asked, batch: null, faults: [{ ...fault, call: 'POST /runs/r1/batches' }] }
    expect(liveChecks(batch)[2]?.state).toBe('bad')
  })
})

describe('a server that does not answer', () => {
  it('is said with the time of the last answer, and no check is in force', () => {
    expect(lostVerdict(AT, null).sentence).toBe(
      'The server does not answer since 14:02; trainers go on with uniform choice.',
    )
    expect(lostVerdict(AT, 'The token ran out.')).toEqual({
      sentence: 'The token ran out.',
      context: 'What is shown is from 14:02:07.',
    })
    const checks = outOfForce(liveChecks({ ...asked, report }))
    expect(checks.map(({ state }) => state)).toEqual(['wait', 'wait', 'wait', 'wait'])
    expect(allGreen(checks)).toBe(false)
  })
})

describe('runs to watch', () => {
  it('are told apart where they bear one name', () => {
    const one = { id: 'a', name: 'x', startedAt: AT }
    expect(watchNames([])).toEqual([])
    expect(watchNames([one, { ...one, id: 'b', name: 'y' }]).map(({ name }) => name)).toEqual(['x', 'y'])
    expect(watchNames([one, { ...one, id: 'b', startedAt: later(120) }])).toEqual([
      { id: 'a', name: 'x, started 29 Nov 14:02' },
      { id: 'b', name: 'x, started 29 Nov 14:04' },
    ])
  })
})

describe('the cause', () => {
  const reason: RefusedReason = {
    reason: 'there is no task "airline-27" in environment "AIR"',
    count: 512,
    environment: 'AIR',
    task: 'airline-27',
    lease: null,
    nearest: { environment: 'AIR', task: 'airline_27', distance: 1 },
    alike: 512,
  }

  it('names the nearest key and how many differ alike', () => {
    expect(reasonWords(reason).cause).toBe(
      'There is no task "airline-27" in environment "AIR". The nearest key is "airline_27"; all 512 differ in the same way.',
    )
    expect(reasonWords({ ...reason, alike: 0 }).cause).toContain('0 of 512 differ in the same way')
    expect(reasonWords({ ...reason, count: 1, alike: 1 }).cause).toMatch(/"airline_27"\.$/)
    expect(reasonWords({ ...reason, nearest: null, alike: null }).cause).toBe(
      'There is no task "airline-27" in environment "AIR".',
    )
  })
})
