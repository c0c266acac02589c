/**
 * The demo world: twelve tool environments that read like real ones, some 600 tasks, and the troubles that real runs have.
 * Owns: how the tables of demo-desks.ts and demo-machines.ts become a world. Must never know: the trainer that plays it.
 * Invariant, measured by a test: exactly one environment each is starved (few tasks, and a verifier that fails on
 * nearly all rollouts, so that its lower quota cannot be met), saturated from the start, flaky (its verifier flips), slow, and broken (an answer format that the policy does not know,
 * so its first groups are all zero with a format error).
 */
import { DEMO_DESKS } from '@/lib/testbed/demo-desks'
import type { DemoEnvironment, DemoTrouble } from '@/lib/testbed/demo-environment'
import { DEMO_MACHINES } from '@/lib/testbed/demo-machines'
import { drawChain, taskText } from '@/lib/testbed/generate-world'
import { seededRandom } from '@/lib/testbed/random'
import { ACTS, GOAL_WORDS, PEOPLE } from '@/lib/testbed/vocabulary'
import type { World, WorldEnvironment } from '@/lib/testbed/world'

const DEMO_ENVIRONMENTS = [...DEMO_DESKS, ...DEMO_MACHINES]
const TASKS = 54
const STARVED_TASKS = 3
const HELD_OUT = 10
const LONGEST = 6
const BROKEN_TASKS = 0.03

const NOISE: Record<DemoTrouble, Partial<WorldEnvironment>> = {
  starved: { verifierError: 0.96 },
  saturated: {},
  flaky: { flip: 0.3 },
  slow: {},
  broken: { contract: -6 },
}

function indexOf<T>(items: readonly T[], fits: (item: T) => boolean, what: string): number {
  const index = items.findIndex(fits)
  if (index < 0) throw new RangeError(`the demo table names ${what}, which does not exist`)
  return index
}

function demoEnvironment(row: DemoEnvironment): WorldEnvironment {
  const tools = row.tools.map(([name, verb, parameters]) => ({
    name,
    act: indexOf(ACTS, (act) => act.verb === verb, verb),
    description: `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}.`,
    parameters,
  }))
  return {
    key: row.key,
    name: row.name,
    tools,
    goals: row.steps.map(([object]) => indexOf(GOAL_WORDS, (goal) => goal.object === object, object)),
    phrases: row.steps.map(([, , phrase]) => phrase),
    correct: Int32Array.from(row.steps, ([, name]) => indexOf(tools, (tool) => tool.name === name, name)),
    calls: row.steps.map(([, name]) => name),
    shortest: row.shortest,
    skill: row.skill,
    graded: row.graded,
    rewardRange: [0, 1],
    flip: 0,
    infraError: 0.01,
    verifierError: 0,
    contract: null,
    fumble: 0.12,
    horizon: 10,
    secondsPerCall: row.secondsPerCall,
    ...(row.trouble === null ? {} : NOISE[row.trouble]),
  }
}

/** 12 environments, 54 tasks each (the starved one 3), 10 more held out each; batches of 32 groups of 8. */
export function makeDemoWorld(seed: number): World {
  const random = seededRandom(seed)
  const world: World = {
    name: 'demo',
    seed,
    acts: ACTS,
    goals: GOAL_WORDS.map((word) => ({ ...word })),
    environments: DEMO_ENVIRONMENTS.map(demoEnvironment),
    tasks: [],
    heldOut: [],
    start: { mean: 0.5, deviation: 2, environmentDeviation: 1 },
    training: { batchSize: 32, groupSize: 8, learningRate: 4 },
    told: { missing: 0, wrong: 0 },
    interference: null,
  }
  for (const [index, environment] of world.environments.entries()) {
    const trouble = DEMO_ENVIRONMENTS[index]!.trouble
    const count = trouble === 'starved' ? STARVED_TASKS : TASKS
    for (let i = 0; i < count + HELD_OUT; i++) {
      const chain = drawChain(random, environment, LONGEST)
      const broken = random() < BROKEN_TASKS
      const held = i >= count
      const number = String(held ? i - count : i).padStart(3, '0')
      const task = {
        environment: index,
        key: `${environment.key}/${held ? 'held-out-' : ''}${number}`,
        text: taskText(environment, chain, PEOPLE[(i * 7 + index) % PEOPLE.length]!),
        chain,
        broken: broken && !held && trouble === null,
      }
      ;(held ? world.heldOut : world.tasks).push(task)
    }
  }
  return world
}

/** Which demo environment has which trouble, by key. */
export function demoTroubles(): Record<DemoTrouble, string> {
  const key = (trouble: DemoTrouble) =>
    DEMO_ENVIRONMENTS[indexOf(DEMO_ENVIRONMENTS, (row) => row.trouble === trouble, trouble)]!.key
  return {
    starved: key('starved'),
    saturated: key('saturated'),
    flaky: key('flaky'),
    slow: key('slow'),
    broken: key('broken'),
  }
}

/**
 * What the demo's researcher asked for, in shares of picks: at most an eighth for the slow environment, and at least as much for the
 * starved one, which three tasks cannot fill in batches of 32.
 */
export function demoQuotas(): Record<string, { lower: number; upper: number }> {
  const { starved, slow } = demoTroubles()
  return { [starved]: { lower: 0.12, upper: 1 }, [slow]: { lower: 0, upper: 0.12 } }
}
