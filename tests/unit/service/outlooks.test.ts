import { expect, test } from 'vitest'
import type { BatchDecision } from '@/lib/engine/decision'
import type { GroupEntry, LogEntry } from '@/lib/engine/log-entry'
import type { DraftChange } from '@/lib/engine/scheduler'
import { createEngineRoom } from '@/lib/service/engine-room'
import { config, randomOf, taskSetOf } from '@/tests/property/engine/random-run'

const RUN = 'run'
const DRAFTS: DraftChange[][] = [
  [{ change: { kind: 'weight', name: 'exploitation', value: 0.5 }, batches: null }],
  [{ change: { kind: 'weight', name: 'headroom', value: 2 }, batches: 3 }],
  [
    { change: { kind: 'ban', task: 3 }, batches: 3 },
    { change: { kind: 'pause', environment: 0, mode: 'hold' }, batches: null },
  ],
]
const request = (version: number) => ({ size: 12, groupSize: 4, policyVersion: version, at: 5000 + version })

function roomWith(seed: number) {
  const room = createEngineRoom()
  const set = taskSetOf({ tasks: 90, environments: 5, seed })
  room.open({ run: RUN, set, config: config(5), seed: `${seed}`, snapshot: null })
  return room
}

/** What comes back of a batch, at times that differ from one look to the next. */
function groupsOf(decision: BatchDecision, version: number, firstLease: number, at: number): LogEntry[] {
  const random = randomOf(version)
  return decision.picks.map(({ task, slot }, k): GroupEntry => {
    const high = Math.floor(random() * 5)
    return {
      ...{ kind: 'group', at, task, policyVersion: version, lease: firstLease + k, slot },
      ...{ trusted: 4, sum: high, sumSquares: high, low: 4 - high, high, untrusted: 0, verifierErrors: 0 },
      ...{ seconds: 1, turns: 2, late: false },
    }
  })
}

function batchOf({ picks }: BatchDecision, version: number, firstLease: number): LogEntry {
  const leased = picks.map(({ task, slot }, k) => ({ task, slot, lease: firstLease + k }))
  return { kind: 'batch', batch: version + 1, at: 5000, policyVersion: version, groupSize: 4, picks: leased }
}

test('looks change nothing: the state, what was expected and each batch are the same to the bit', () => {
  for (const seed of [1, 2, 3]) {
    const looked = roomWith(seed)
    const alone = roomWith(seed)
    let seq = 0
    let lease = 1
    let due: LogEntry[] = []
    for (let version = 0; version < 6; version++) {
      const entries = [{ kind: 'policy', at: 1, policyVersion: version } as const, ...due]
      const seen = due.map((entry) => ({ ...entry, at: 77 }))
      const pending = [{ kind: 'policy', at: 77, policyVersion: version } as const, ...seen]
      const half = pending.slice(0, 4)
      looked.propose(RUN, request(version), [], half)
      looked.propose(RUN, request(version), DRAFTS[2]!, half)
      const preview = looked.propose(RUN, request(version), [], pending)
      const drafts = DRAFTS.map((draft) => looked.propose(RUN, request(version), draft, pending))
      expect(DRAFTS.map((draft) => alone.propose(RUN, request(version), draft, pending))).toEqual(drafts)
      expect(looked.apply(RUN, seq, entries)).toEqual(alone.apply(RUN, seq, entries))
      seq += entries.length
      const batch = looked.propose(RUN, request(version), [], [])
      expect(batch).toEqual(preview)
      expect(alone.propose(RUN, request(version), [], [])).toEqual(batch)
      for (const room of [looked, alone]) room.apply(RUN, seq, [batchOf(batch, version, lease)])
      seq += 1
      due = groupsOf(batch, version, lease, 1)
      lease += batch.picks.length
      expect(Buffer.compare(looked.encode(RUN), alone.encode(RUN))).toBe(0)
      expect(looked.predictions(RUN, 4)).toEqual(alone.predictions(RUN, 4))
    }
  }
})

test('entries that keep their time are folded by themselves', () => {
  const [looked, alone] = [roomWith(4), roomWith(4)]
  const batch = looked.propose(RUN, request(0), [], [])
  const entry = batchOf(batch, 0, 1)
  looked.propose(RUN, request(0), [], [{ ...entry, at: 99 }])
  for (const room of [looked, alone]) room.apply(RUN, 0, [entry])
  expect(Buffer.compare(looked.encode(RUN), alone.encode(RUN))).toBe(0)
})

test('a run that is opened anew forgets what was looked at', () => {
  const room = roomWith(5)
  const before = room.propose(RUN, request(0), [], [])
  room.open({
    run: RUN,
    set: taskSetOf({ tasks: 40, environments: 3, seed: 9 }),
    config: config(3),
    seed: '9',
    snapshot: null,
  })
  const after = room.propose(RUN, request(0), [], [])
  expect(before.predictedVariance).toHaveLength(90)
  expect(after.predictedVariance).toHaveLength(40)
})
