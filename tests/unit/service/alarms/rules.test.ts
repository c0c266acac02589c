/* The rules at the edges of numbers: nothing, zero, one, all equal, NaN; and each bar just under and just over. */
import { describe, expect, test } from 'vitest'
import { emptyBook, foldBook } from '@/lib/service/alarms/alarm-book'
import { meanAndError, rewardBounds } from '@/lib/service/alarms/moments'
import type { EnvironmentFacts, RunFacts } from '@/lib/service/alarms/ring'
import { ringAlarms } from '@/lib/service/alarms/ring-alarms'
import { inRange, thingsOf } from '@/lib/service/alarms/run-facts'
import { duePicks } from '@/lib/service/alarms/starved'
import { emptyGroup } from '@/lib/service/group-book'
import type { GroupRow } from '@/lib/store/group'

let numbered = 0

function group(changes: Partial<GroupRow> & { solved?: number } = {}): GroupRow {
  const { solved = 4, trusted = 8, ...rest } = changes
  numbered += 1
  const mean = trusted === 0 ? null : solved / trusted
  const variance = trusted < 2 ? null : (solved * (trusted - solved)) / (trusted * (trusted - 1))
  return {
    ...emptyGroup({ number: numbered, lease: numbered, batch: 1, slot: 'score', task: 0, policyVersion: 0 }),
    state: 'absorbed',
    logSeq: numbered,
    returned: 8,
    trusted,
    untrusted: 8 - trusted,
    sum: solved,
    sumSquares: solved,
    high: solved,
    low: trusted - solved,
    statuses: trusted === 8 ? { ok: 8 } : { ok: trusted, infra_error: 8 - trusted },
    mean,
    realisedVariance: variance,
    informative: variance === null ? null : variance > 0,
    predictedVariance: variance,
    ...rest,
  }
}

/** A run of one environment with 10 tasks (and another one that is well), after these groups. */
function run(groups: GroupRow[], changes: Partial<RunFacts> = {}, own: Partial<EnvironmentFacts> = {}): RunFacts {
  const book = emptyBook(2)
  const places = { environmentOf: (task: number) => (task < 10 ? 0 : 1), thingsOf: () => ['search', 'update'] }
  for (const one of groups) foldBook(book, one, places)
  const facts = (ordinal: number): EnvironmentFacts => ({
    ordinal,
    name: ordinal === 0 ? 'Shop' : 'Desk',
    tasks: 10,
    free: 10,
    waiting: 0,
    leased: 0,
    paused: false,
    quota: { lower: 0, upper: 1 },
    sincePick: 0,
    recent: groups.filter((one) => places.environmentOf(one.task) === ordinal),
    book: book.environments[ordinal] ?? emptyBook(1).environments[0]!,
    ...(ordinal === 0 ? own : {}),
  })
  return {
    batch: 40,
    typicalBatch: 16,
    uniformShare: 0.25,
    target: 0.5,
    recent: groups,
    recentBatches: 10,
    newestSizes: [16, 16, 16],
    leased: 0,
    released: new Set(),
    taskName: (task) => `task ${task}`,
    environments: [facts(0), facts(1)],
    book,
    ...changes,
  }
}

const keys = (facts: RunFacts) => ringAlarms(facts).map((ring) => ring.key)
const times = (count: number, make: (k: number) => GroupRow) => Array.from({ length: count }, (_, k) => make(k))
const uniform = (k: number, solved: number) => group({ slot: 'uniform', batch: k + 1, task: k % 10, solved })

describe('nothing is no alarm', () => {
  test('no groups, one group, groups without a rollout, numbers that are none', () => {
    expect(keys(run([]))).toEqual([])
    expect(keys(run([group()]))).toEqual([])
    expect(keys(run(times(40, () => group({ returned: 0, trusted: 0, statuses: {}, state: 'open' }))))).toEqual([])
    const broken = { mean: Number.NaN, realisedVariance: Number.NaN, predictedVariance: Number.NaN, slot: 'uniform' }
    expect(keys(run(times(80, (k) => group({ ...broken, batch: k }))))).toEqual([])
    expect(keys(run([], { batch: 0, typicalBatch: 0, target: 0 }))).toEqual([])
  })

  test('a group of a task that no environment has is passed over', () => {
    const book = emptyBook(1)
    foldBook(book, group({ task: 5 }), { environmentOf: () => -1, thingsOf: () => [] })
    expect(book.groups).toBe(1)
    expect(book.environments[0]?.contract.newest).toEqual([])
  })
})

describe('starved', () => {
  test('rings only when a fair draw would have brought nine picks, and never for a paused environment', () => {
    // due = batches * 16 picks * .25 * 10 of 20 tasks = 2 a batch
    expect(keys(run([], {}, { sincePick: 4 }))).toEqual([])
    expect(keys(run([], {}, { sincePick: 6 }))).toEqual(['starved:0'])
    expect(keys(run([], { typicalBatch: 8 }, { sincePick: 8 }))).toEqual([])
    expect(keys(run([], { typicalBatch: 8 }, { sincePick: 9 }))).toEqual(['starved:0'])
    expect(keys(run([], {}, { sincePick: null }))).toEqual(['starved:0'])
    expect(keys(run([], {}, { sincePick: 30, paused: true }))).toEqual([])
    expect(keys(run([], {}, { sincePick: 30, free: 0 }))).toEqual([])
  })

  test('nobody starves when nobody is picked; without uniform slots a quarter of them is the measure', () => {
    const idle = run([], {}, { sincePick: 30 })
    expect(keys({ ...idle, environments: idle.environments.map((one) => ({ ...one, sincePick: 30 })) })).toEqual([])
    const [facts] = run([], {}, { sincePick: 10 }).environments
    if (facts === undefined) throw new Error('no environment')
    expect(duePicks(run([], { uniformShare: 0 }), facts, 20)).toBeCloseTo(20)
    expect(duePicks(run([], { uniformShare: 0.5 }), facts, 20)).toBeCloseTo(40)
    expect(duePicks(run([]), { ...facts, quota: { lower: 0.5, upper: 1 } }, 20)).toBeCloseTo(80)
    expect(duePicks(run([]), facts, 0)).toBe(0)
  })
})

describe('contract mismatch', () => {
  const silentZero = (changes: Partial<GroupRow> = {}) => group({ solved: 0, ...changes })
  test('all zero with errors, but not all zero alone', () => {
    expect(keys(run(times(4, () => silentZero({ errors: 8 }))))).toEqual(['contract:0'])
    expect(keys(run(times(3, () => silentZero({ errors: 8 }))))).toEqual([])
    expect(keys(run(times(12, () => silentZero())))).toEqual([])
  })

  test('one lucky rollout ends nothing; some that pay do, and so do errors that are not most', () => {
    const wrong = (count: number) => times(count, () => silentZero({ errors: 8 }))
    const lucky = group({ solved: 1, errors: 7 })
    const rung = ringAlarms(run([...wrong(20), lucky, ...wrong(11)]))
    expect(rung.map((ring) => [ring.key, ring.title])).toEqual([['contract:0', 'Shop hardly pays.']])
    expect(rung[0]?.sentence).toMatch(/^255 of its last 256 rollouts carry .* and only 1 of 256 trusted ones paid/)
    expect(keys(run([...wrong(6), lucky]))).toEqual(['contract:0'])
    expect(keys(run([...wrong(6), group({ solved: 5, errors: 3 })]))).toEqual([])
    expect(keys(run([lucky, ...times(30, () => silentZero({ errors: 3 }))]))).toEqual([])
    // what is older than 32 groups is forgotten, on both sides
    expect(keys(run([...times(40, () => group()), ...wrong(32)]))).toEqual(['contract:0'])
    expect(keys(run([...wrong(40), ...times(32, () => silentZero())], { target: 0 }))).toEqual([])
  })

  test('a tiny reward is one, whatever the group counted at its low end', () => {
    const tiny = times(8, () => silentZero({ errors: 8, mean: 0.01, low: 8 }))
    expect(keys(run(tiny))).toEqual([])
  })

  test('errors of the infrastructure are no contract', () => {
    const lost = { trusted: 4, errors: 4, statuses: { ok: 4, infra_error: 4 } }
    expect(
      keys(
        run(
          times(12, () => silentZero(lost)),
          { recent: [] },
        ),
      ).filter((key) => key.startsWith('contract')),
    ).toEqual([])
  })
})

describe('forgetting', () => {
  test('not enough, then from all solved to none; a drop within the bounds is silent', () => {
    const solved = times(16, (k) => uniform(k, 8))
    expect(run(times(7, (k) => uniform(k, 8))).environments[0]?.book.forgetting.now).toBeNull()
    expect(run(times(8, (k) => uniform(k, 8))).environments[0]?.book.forgetting.now?.value).toBe(1)
    expect(keys(run(solved))).toEqual([])
    expect(keys(run([...solved, ...times(16, (k) => uniform(20 + k, 6))]))).not.toContain('forgetting:0')
    const lost = run([...solved, ...times(16, (k) => uniform(20 + k, 0))])
    expect(keys(lost)).toContain('forgetting:0')
    expect(ringAlarms(lost).find((ring) => ring.kind === 'forgetting')?.sentence).toMatch(/fell from 100 % .* to 0 %/)
  })

  test('chosen groups do not count: scores choose what is hard', () => {
    const solved = times(16, (k) => uniform(k, 8))
    const hard = times(40, (k) => group({ batch: 20 + k, task: k % 10, solved: k % 2 }))
    expect(keys(run([...solved, ...hard]))).not.toContain('forgetting:0')
  })

  test('groups of one rollout need 64 of them', () => {
    const one = (k: number) => group({ slot: 'uniform', batch: k, returned: 1, trusted: 1, untrusted: 0, solved: 1 })
    expect(run(times(63, one)).environments[0]?.book.forgetting.now).toBeNull()
    expect(run(times(64, one)).environments[0]?.book.forgetting.now?.rollouts).toBe(64)
  })
})

describe('variance that never falls', () => {
  const coin = (k: number) => uniform(k, [5, 6, 5, 6, 7, 5][k % 6] ?? 5)
  test('the same reward for every task for ever, but not tasks that differ, learn, or are solved', () => {
    expect(keys(run(times(40, coin)))).toContain('noisy_verifier:0')
    expect(keys(run(times(27, coin)))).not.toContain('noisy_verifier:0')
    const differ = times(40, (k) => uniform(k, [0, 8, 4, 4, 2, 6][k % 6] ?? 4))
    const learn = times(40, (k) => uniform(k, Math.min(8, Math.floor(k / 5))))
    const solved = times(40, (k) => uniform(k, 8))
    for (const groups of [differ, learn, solved]) expect(keys(run(groups))).not.toContain('noisy_verifier:0')
  })
})

describe('self-lock', () => {
  const solvedBy = (task: number) => group({ task, solved: 8 })
  test('a task without a reward where all that use the same are solved', () => {
    const others = times(30, (k) => solvedBy(1 + (k % 9)))
    expect(keys(run([...others, group({ task: 0, solved: 0 })]))).toEqual([])
    const locked = run([...others, ...times(2, () => group({ task: 0, solved: 0 }))])
    expect(keys(locked)).toEqual(['self_lock:0'])
    expect(ringAlarms(locked)[0]?.sentence).toContain('No reward in 16 rollouts of task 0,')
    const woken = [...others, ...times(2, () => group({ task: 0, solved: 0 })), group({ task: 0, solved: 1 })]
    expect(keys(run(woken))).toEqual([])
  })

  test('where nobody is solved it is only hard', () => {
    expect(keys(run(times(60, (k) => group({ task: k % 10, solved: 0 }))))).toEqual([])
  })

  test('what a task uses: tools, else state and checks, else its environment', () => {
    expect(thingsOf({ tools: ['a', 'a'], state: ['s'], checks: [] })).toEqual(['a', 'a'])
    expect(thingsOf({ tools: [], state: ['s'], checks: ['c'] })).toEqual(['state s', 'check c'])
    expect(thingsOf({ tools: [], state: [], checks: [] })).toEqual(['environment'])
    expect(thingsOf(undefined)).toEqual([])
  })
})

describe('failures, leases, waste, drift', () => {
  const lost = (task = 0) => group({ task, trusted: 0, solved: 0 })
  test('four groups in a row fail, not three; over two environments it is told once', () => {
    expect(
      keys(
        run(
          times(3, () => lost()),
          { recent: [] },
          { recent: [] },
        ),
      ),
    ).toEqual([])
    expect(keys(run(times(4, () => lost())))).toEqual(['failures:0'])
    expect(keys(run([...times(4, () => lost()), group()], {}, { recent: [] }))).toEqual([])
    // neither colour nor words hang on one lucky rollout
    const told = (groups: GroupRow[]) => ringAlarms(run(groups)).map(({ severity, sentence }) => [severity, sentence])
    const one = group({ trusted: 1, solved: 1 })
    expect(told(times(10, () => lost()))).toEqual([['bad', expect.stringMatching(/^80 of its 80 rollouts/)]])
    expect(told([...times(10, () => lost()), one])).toEqual([['bad', expect.stringMatching(/^87 of its 88 rollouts/)]])
    expect(keys(run(times(8, (k) => lost(k % 2 === 0 ? 0 : 15))))).toEqual(['failures'])
  })

  test('leases: expired ones count, released ones do not', () => {
    const gone = times(8, () => group({ returned: 0, trusted: 0, statuses: {}, solved: 0 }))
    const back = times(12, () => group())
    expect(keys(run([...gone, ...back]))).toEqual(['leases'])
    const released = new Set(gone.map((one) => one.lease ?? -1))
    expect(keys(run([...gone, ...back], { released }))).toEqual([])
    expect(keys(run([], { leased: 12, newestSizes: [0, 0, 0] }))).toEqual(['stuck'])
    expect(keys(run([], { leased: 0, newestSizes: [0, 0, 0] }))).toEqual([])
    expect(keys(run([], { leased: 12, newestSizes: [0, 0] }))).toEqual([])
  })

  test('waste: under the target for certain, not in the first batches, and not on uniform slots', () => {
    const wasted = times(80, (k) => group({ solved: k % 4 === 0 ? 4 : 8 }))
    expect(keys(run(wasted))).toEqual(['waste'])
    expect(keys(run(wasted, { batch: 19 }))).toEqual([])
    expect(keys(run(wasted, { target: 0.3 }))).toEqual([])
    expect(keys(run(wasted, { target: 0 }))).toEqual([])
    expect(keys(run(times(80, (k) => uniform(k % 10, 8))))).toEqual([])
  })

  test('drift: a difference that matters, over groups enough', () => {
    const off = (gap: number) => (k: number) => {
      const one = group({ solved: [2, 3, 4][k % 3] ?? 3 })
      return { ...one, predictedVariance: (one.realisedVariance ?? 0) + gap }
    }
    expect(keys(run(times(24, off(0.13))))).toEqual(['drift:0'])
    expect(keys(run(times(24, off(-0.13))))).toEqual(['drift:0'])
    expect(keys(run(times(23, off(0.13))))).toEqual([])
    expect(keys(run(times(24, off(0.11))))).toEqual([])
    expect(keys(run(times(128, off(0.09))))).toEqual(['drift'])
  })
})

describe('moments', () => {
  test('nothing and one value have no error; all equal has none either, but bounds', () => {
    expect(meanAndError([])).toBeNull()
    expect(meanAndError([0.5])).toBeNull()
    expect(meanAndError([0, Number.NaN])).toBeNull()
    expect(meanAndError([0, 0])).toEqual({ mean: 0, error: 0 })
    expect(rewardBounds([])).toBeNull()
    expect(rewardBounds([{ mean: 1, rollouts: 64 }])).toEqual({ value: 1, low: 0, high: 1, rollouts: 64 })
    const all = rewardBounds(times(8, () => group()).map(() => ({ mean: 1, rollouts: 8 })))
    expect(all?.high).toBe(1)
    expect(all?.low).toBeCloseTo(0.676, 2)
    expect(rewardBounds([{ mean: Number.NaN, rollouts: 8 }])).toBeNull()
  })

  test('a widened range moves what was absorbed before', () => {
    const one = { ...group({ solved: 8 }), sum: 8 }
    expect(inRange(one, [0, 2]).mean).toBeCloseTo(0.5)
    expect(inRange(one, null).mean).toBe(1)
    expect(inRange(one, [1, 1]).mean).toBe(1)
  })
})
