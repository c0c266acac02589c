/**
 * A world: environments with tools, sub-goals, transition rules and verifiers; tasks that are chains of sub-goals.
 * Owns: the shapes, and what a call is named. Everything here is fixed when a world is made; what learns is the policy.
 * Must never know: schedulers, the service, ids of a server.
 * Invariant: `correct[g]` is a tool index of its environment; a chain holds local sub-goal indices, 1 to 8 of them.
 */
import type { Act } from '@/lib/testbed/vocabulary'

export interface WorldTool {
  name: string
  /** index into the world's acts: what the policy's shared skill is about */
  act: number
  description: string
  parameters: string[]
}

export interface WorldGoal {
  object: string
  /** the part of the state that it changes; several goals share one */
  area: string
  /** the act that the shared skill expects; an environment with a quirk wants another */
  act: number
}

export interface WorldEnvironment {
  key: string
  name: string
  tools: WorldTool[]
  /** local sub-goal -> index into the world's goals */
  goals: number[]
  /** local sub-goal -> what a person would ask for */
  phrases: string[]
  /** transition rule: local sub-goal -> the one tool index that advances the state */
  correct: Int32Array
  /** local sub-goal -> the correct call as an agent sees it: tools are offered by what they act on */
  calls: string[]
  /** fewest calls of a task here, 1 to 4 */
  shortest: number
  /** initial skill added to the correct tools, in logits; null = drawn */
  skill: number | null
  /** graded: reward is the share of the chain that was done; else all or nothing */
  graded: boolean
  rewardRange: [number, number]
  /** probability that the verifier reports the opposite reward */
  flip: number
  /** probability that a rollout dies of infrastructure (no reward) */
  infraError: number
  /** probability that the verifier fails (no reward) */
  verifierError: number
  /** initial logit of meeting the answer format that the verifier insists on; null = no such contract */
  contract: number | null
  /** probability that a failed agent repeats itself until the horizon and is cut off */
  fumble: number
  horizon: number
  secondsPerCall: number
}

export interface WorldTask {
  environment: number
  key: string
  text: string
  /** local sub-goals, in order */
  chain: Int32Array
  /** its verifier never pays */
  broken: boolean
}

/** Name under which a call of `tool` for the local sub-goal is seen. */
export function callName(environment: WorldEnvironment, local: number, tool: number): string {
  return tool === environment.correct[local] ? environment.calls[local]! : environment.tools[tool]!.name
}

/** How skilled the policy starts: shared skill of a goal is normal(mean, deviation), an environment's is normal(0, environmentDeviation). */
export interface StartingSkill {
  mean: number
  deviation: number
  environmentDeviation: number
}

/** The training settings that belong to a world; the learning rate is the best one for uniform choice. */
export interface TrainingSize {
  batchSize: number
  groupSize: number
  learningRate: number
}

/**
 * Shared parameters that interfere: beside its own logit, every (environment, sub-goal, tool) reads a cell of a table that is much
 * smaller than they are many, with a random sign. What is learnt in one environment then moves others at random; where they
 * are visited, their own gradient repairs it.
 * Source: signed feature hashing (Weinberger and others 2009), as the smallest model with the catastrophic interference
 * of networks trained on tasks in turn (McCloskey and Cohen 1989; French 1999).
 */
export interface Interference {
  /** cells of the shared table */
  cells: number
  /** share of a step on a (environment, sub-goal, tool) logit that is taken in the shared table, 0 to 1; the rest is its own */
  share: number
}

/** What of the tasks' structure a scheduler is not told, and what it is told wrongly: shares of fields, and of named tools. */
export interface Told {
  missing: number
  wrong: number
}

export interface World {
  name: string
  seed: number
  acts: readonly Act[]
  goals: WorldGoal[]
  environments: WorldEnvironment[]
  tasks: WorldTask[]
  heldOut: WorldTask[]
  start: StartingSkill
  training: TrainingSize
  told: Told
  /** null: environments share the skill of sub-goals only */
  interference: Interference | null
}
