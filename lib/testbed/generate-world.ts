/**
 * Makes a world from numbers: how many environments and tasks, how much they share, how much is troubled.
 * Owns: the generator. Must never know: named worlds (worlds.ts), policies.
 * Invariant: the same specification and seed give the same world, byte for byte.
 * Structure after our simulator trials: 24 sub-goals with one natural act each, of 12 acts; an environment has 6 to 13
 * sub-goals and 4 to 10 tools or more; chains of 1 to 8 calls, short ones likelier.
 */
import { integerBelow, type Random, seededRandom, shuffle } from '@/lib/testbed/random'
import { ACTS, DOMAINS, GOAL_WORDS, PEOPLE, QUALIFIERS } from '@/lib/testbed/vocabulary'
import type {
  Interference,
  StartingSkill,
  Told,
  TrainingSize,
  World,
  WorldEnvironment,
  WorldGoal,
  WorldTask,
  WorldTool,
} from '@/lib/testbed/world'

/** Shares are of environments unless said; all in [0, 1]. */
export interface WorldSpec {
  /** 1 to 192 */
  environments: number
  /** training tasks, at least one an environment */
  tasks: number
  heldOutPerEnvironment: number
  longestChain: number
  /** share of (environment, sub-goal) pairs whose correct tool contradicts the shared skill */
  quirk: number
  /** share of tasks whose verifier never pays */
  broken: number
  gradedShare: number
  flip: { share: number; rate: number }
  infraError: { share: number; rate: number }
  verifierError: { share: number; rate: number }
  slow: { share: number; factor: number }
  trap: { share: number; logit: number }
  start: StartingSkill
  training: TrainingSize
  /** everything, and rightly, unless said */
  told?: Told
  interference?: Interference
}

const HORIZON = 10

/**
 * A tool that is right for a sub-goal is offered under that goal's object (get_order); one that is right for none is named after the
 * environment's nouns. Names are unique inside the environment.
 */
function nameTools(acts: number[], calls: string[], correct: Int32Array, nouns: readonly string[]): WorldTool[] {
  const taken = new Set(calls)
  return acts.map((act, index) => {
    const word = ACTS[act]!
    const local = correct.indexOf(index)
    const noun = nouns[act % nouns.length]!
    let name = local < 0 ? `${word.verb}_${noun}` : calls[local]!
    for (let edition = 2; local < 0 && taken.has(name); edition++) name = `${word.verb}_${noun}_v${edition}`
    taken.add(name)
    return {
      name,
      act,
      description: `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}.`,
      parameters: [`${noun}_id`, word.parameter],
    }
  })
}

function correctTool(random: Random, quirk: number, tools: number[], act: number): number {
  const fitting = tools.flatMap((toolAct, index) => (toolAct === act ? [index] : []))
  if (random() < quirk) return integerBelow(random, tools.length)
  return fitting[integerBelow(random, fitting.length)]!
}

function makeEnvironment(random: Random, spec: WorldSpec, goals: WorldGoal[], index: number): WorldEnvironment {
  const [domain, ...nouns] = DOMAINS[index % DOMAINS.length]!
  const qualifier = QUALIFIERS[Math.floor(index / DOMAINS.length)]!
  const key = qualifier === '' ? domain : `${domain}-${qualifier}`
  const wanted = 4 + integerBelow(random, 7)
  const count = 6 + integerBelow(random, 8)
  const local: number[] = []
  while (local.length < count) {
    const goal = integerBelow(random, goals.length)
    if (!local.includes(goal)) local.push(goal)
  }
  const acts = [...new Set(local.map((goal) => goals[goal]!.act))]
  const total = Math.max(wanted, acts.length + 2)
  while (acts.length < total) acts.push(integerBelow(random, ACTS.length))
  const correct = Int32Array.from(local, (goal) => correctTool(random, spec.quirk, acts, goals[goal]!.act))
  const calls = local.map((goal, k) => `${ACTS[acts[correct[k]!]!]!.verb}_${goals[goal]!.object}`)
  return {
    key,
    name: key.replaceAll('-', ' '),
    tools: nameTools(acts, calls, correct, nouns),
    goals: local,
    phrases: local.map((goal) => `${ACTS[goals[goal]!.act]!.verb} the ${goals[goal]!.object}`),
    correct,
    calls,
    shortest: Math.min(1 + integerBelow(random, 4), spec.longestChain),
    skill: null,
    graded: false,
    rewardRange: [0, 1],
    flip: 0,
    infraError: 0,
    verifierError: 0,
    contract: null,
    fumble: 0.1,
    horizon: HORIZON,
    secondsPerCall: 1 + 2 * random(),
  }
}

/** Troubles go to a counted number of environments, so that even a small world has what its specification says. */
function trouble(environments: WorldEnvironment[], spec: WorldSpec, random: Random): void {
  const give = (share: number, change: (environment: WorldEnvironment) => void) => {
    const order = shuffle([...environments.keys()], random)
    const count = Math.round(share * environments.length)
    for (const index of order.slice(0, count)) change(environments[index]!)
  }
  give(spec.gradedShare, (e) => {
    e.graded = true
  })
  give(spec.flip.share, (e) => {
    e.flip = spec.flip.rate
  })
  give(spec.infraError.share, (e) => {
    e.infraError = spec.infraError.rate
  })
  give(spec.verifierError.share, (e) => {
    e.verifierError = spec.verifierError.rate
  })
  give(spec.slow.share, (e) => {
    e.secondsPerCall *= spec.slow.factor
  })
  give(spec.trap.share, (e) => {
    e.contract = spec.trap.logit
  })
}

/** One sentence a task: who asks, and the chain in the environment's words. */
export function taskText(environment: WorldEnvironment, chain: ArrayLike<number>, person: string): string {
  const steps = Array.from(chain, (local) => environment.phrases[local]!)
  const last = steps.length - 1
  const spoken = last === 0 ? steps[0]! : `${steps.slice(0, last).join(', ')}, then ${steps[last]!}`
  return `${person} asks you to ${spoken}.`
}

/** A chain of local sub-goals: the environment's shortest length plus a few, short ones likelier. */
export function drawChain(random: Random, environment: WorldEnvironment, longest: number): Int32Array {
  const length = Math.min(longest, environment.shortest + Math.floor(random() * random() * 7))
  return Int32Array.from({ length }, () => integerBelow(random, environment.goals.length))
}

function makeTasks(world: World, spec: WorldSpec, random: Random): void {
  const total = spec.environments
  for (const [index, environment] of world.environments.entries()) {
    const count = Math.floor((spec.tasks * (index + 1)) / total) - Math.floor((spec.tasks * index) / total)
    for (let i = 0; i < count + spec.heldOutPerEnvironment; i++) {
      const chain = drawChain(random, environment, spec.longestChain)
      const held = i >= count
      const task: WorldTask = {
        environment: index,
        key: `${environment.key}/${held ? 'held-out-' : ''}${String(held ? i - count : i).padStart(3, '0')}`,
        text: taskText(environment, chain, PEOPLE[i % PEOPLE.length]!),
        chain,
        broken: random() < spec.broken && !held,
      }
      ;(held ? world.heldOut : world.tasks).push(task)
    }
  }
}

/** @throws RangeError when the specification asks for no environment, too many, or fewer tasks than environments. */
export function generateWorld(name: string, spec: WorldSpec, seed: number): World {
  const most = DOMAINS.length * QUALIFIERS.length
  if (!(spec.environments >= 1 && spec.environments <= most))
    throw new RangeError(`environments must be 1 to ${most}, not ${spec.environments}`)
  if (!(spec.tasks >= spec.environments))
    throw new RangeError(`tasks must be at least ${spec.environments}, not ${spec.tasks}`)
  const random = seededRandom(seed)
  const goals = GOAL_WORDS.map((word) => ({
    object: word.object,
    area: word.area,
    act: integerBelow(random, ACTS.length),
  }))
  const environments = Array.from({ length: spec.environments }, (_, index) =>
    makeEnvironment(random, spec, goals, index),
  )
  trouble(environments, spec, seededRandom(seed ^ 0x51ed270b))
  const world: World = {
    name,
    seed,
    acts: ACTS,
    goals,
    environments,
    tasks: [],
    heldOut: [],
    start: spec.start,
    training: spec.training,
    told: spec.told ?? { missing: 0, wrong: 0 },
    interference: spec.interference ?? null,
  }
  makeTasks(world, spec, random)
  return world
}
