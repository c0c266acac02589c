/** Small worlds for alarms: nothing is wrong in them until a test breaks something. */
import { generateWorld, type WorldSpec } from '@/lib/testbed/generate-world'
import type { World } from '@/lib/testbed/world'

const none = { share: 0, rate: 0 }

const HEALTHY: WorldSpec = {
  environments: 6,
  tasks: 180,
  heldOutPerEnvironment: 1,
  longestChain: 6,
  quirk: 0.1,
  broken: 0,
  gradedShare: 0,
  flip: none,
  infraError: none,
  verifierError: none,
  slow: { share: 0, factor: 1 },
  trap: { share: 0, logit: 0 },
  start: { mean: 1.5, deviation: 1.5, environmentDeviation: 1 },
  training: { batchSize: 24, groupSize: 8, learningRate: 2 },
}

/** Six environments of 30 tasks, or as `spec` says. */
export function healthyWorld(seed: number, spec: Partial<WorldSpec> = {}): World {
  return generateWorld('healthy', { ...HEALTHY, ...spec }, seed)
}

/** The world with one environment changed, and at most `tasks` of its tasks kept. */
export function withEnvironment(
  world: World,
  ordinal: number,
  change: Partial<World['environments'][number]>,
  tasks = Number.POSITIVE_INFINITY,
): World {
  let kept = 0
  return {
    ...world,
    environments: world.environments.map((one, e) => (e === ordinal ? { ...one, ...change } : one)),
    tasks: world.tasks.filter((task) => task.environment !== ordinal || kept++ < tasks),
  }
}
