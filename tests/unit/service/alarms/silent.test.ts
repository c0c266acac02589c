/* In a run without troubles no alarm ever rings: 60 batches, several seeds, few and many environments. */
import { expect, test } from 'vitest'
import { firstRings, runAlarms } from '@/tests/support/alarm-run'
import { healthyWorld } from '@/tests/support/alarm-worlds'

const small = { batchSize: 16, groupSize: 8, learningRate: 8 }

const sizes = {
  'six environments': { seeds: [1, 2], spec: {} },
  'twelve of fifty tasks': { seeds: [3], spec: { environments: 12, tasks: 600 } },
  'forty of thirty, small batches': { seeds: [4], spec: { environments: 40, tasks: 1200, training: small } },
  'graded rewards': { seeds: [5], spec: { gradedShare: 1 } },
  'one rollout in ten lost': { seeds: [6], spec: { infraError: { share: 1, rate: 0.1 } } },
}

test.each(Object.entries(sizes))('healthy, %s', (_name, { seeds, spec }) => {
  for (const seed of seeds) {
    const rung = runAlarms({ world: healthyWorld(seed, spec), batches: 60, seed, target: 0.3 })
    const said = [...firstRings(rung).values()].map(({ batch, ring }) => `${batch}: ${ring.title} ${ring.sentence}`)
    expect(said).toEqual([])
  }
})
