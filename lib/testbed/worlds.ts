/**
 * The worlds by name: two standard ones, the demo's, and one a variation of the small one.
 * Owns: their numbers. Invariant: `makeWorld(name, seed)` is the same world everywhere.
 * The learning rate is 8, that of our trials, so that their step counts can be compared. Measured over seeds 1 to 6 in `small`, uniform
 * choice ends at .42, .48, .54, .53, .50 with rates 8, 16, 32, 64, 128: it is best near 32, where 120 steps exhaust the world.
 */
import { makeDemoWorld } from '@/lib/testbed/demo-world'
import { generateWorld, type WorldSpec } from '@/lib/testbed/generate-world'
import type { World } from '@/lib/testbed/world'

const none = { share: 0, rate: 0 }

/** Quirks and broken tasks only: the world of our first trials, to compare with their numbers. */
const plain: WorldSpec = {
  environments: 40,
  tasks: 1200,
  heldOutPerEnvironment: 8,
  longestChain: 8,
  quirk: 0.25,
  broken: 0.05,
  gradedShare: 0,
  flip: none,
  infraError: none,
  verifierError: none,
  slow: { share: 0, factor: 1 },
  trap: { share: 0, logit: 0 },
  start: { mean: 1.5, deviation: 2, environmentDeviation: 1.5 },
  training: { batchSize: 16, groupSize: 8, learningRate: 8 },
}

const small: WorldSpec = {
  ...plain,
  gradedShare: 0.1,
  flip: { share: 0.05, rate: 0.1 },
  infraError: { share: 0.1, rate: 0.1 },
  verifierError: { share: 0.05, rate: 0.2 },
  slow: { share: 0.1, factor: 8 },
  trap: { share: 0.05, logit: -2 },
}

const everywhere = (rate: number) => ({ share: 1, rate })

const SPECS: Record<string, WorldSpec> = {
  default: { ...small, environments: 191, tasks: 2500, training: { ...small.training, batchSize: 64 } },
  small,
  plain,
  quirk60: { ...small, quirk: 0.6 },
  broken15: { ...small, broken: 0.15 },
  flip5: { ...small, flip: everywhere(0.05) },
  infra10: { ...small, infraError: everywhere(0.1) },
  graded: { ...small, gradedShare: 1 },
  weak: { ...small, start: { ...small.start, mean: 0.5 } },
  strong: { ...small, start: { ...small.start, mean: 2.5 } },
}

export const WORLD_NAMES: readonly string[] = [...Object.keys(SPECS), 'demo']

/** @throws RangeError naming the worlds when `name` is none of them. */
export function makeWorld(name: string, seed: number): World {
  if (name === 'demo') return makeDemoWorld(seed)
  const spec = SPECS[name]
  if (spec === undefined) throw new RangeError(`no world is called ${name}; there are ${WORLD_NAMES.join(', ')}`)
  return generateWorld(name, spec, seed)
}
