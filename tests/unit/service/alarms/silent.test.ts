/* In a run without troubles no alarm ever rings: 60 batches, several seeds, few and many environments. */
import { expect, test } from 'vitest'
import { firstRings, runAlarms } from '@/tests/support/alarm-run'
import { healthyWorld } from '@/tests/support/alarm-worlds'

const sizes = {
  'six environments': {},
  'twelve of fifty tasks': { environments: 12, tasks: 600 },
  'forty of thirty, small batches': {
    environments: 40,
    tasks: 1200,
    training: { batchSize: 16, groupSize: 8, learningRate: 8 },
  },
  'graded rewards': { gradedShare: 1 },
  'one rollout in ten lost': { infraError: { share: 1, rate: 0.1 } },
}

test.each(Object.entries(sizes))('healthy, %s', (_name, spec) => {
  for (const seed of [1, 2]) {
    const rung = runAlarms({ world: healthyWorld(seed, spec), batches: 60, seed, target: 0.3 })
    expect([...firstRings(rung).values()].map(({ batch, ring }) => `${batch}: ${ring.title} ${ring.sentence}`)).toEqual(
      [],
    )
  }
})
