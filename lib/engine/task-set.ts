/**
 * What the engine knows of a task set: environments, tasks and the names of what they use.
 * Owns: the shape at the door. A task's index is its position in `tasks`, an environment's its position in
 * `environments`; everything behind the door speaks indices.
 * Must never know: server ids, payloads, databases.
 */
export const ROLES = ['read', 'search', 'create', 'update', 'delete', 'compute', 'communicate', 'other'] as const
export type Role = (typeof ROLES)[number]

export interface EngineTool {
  name: string
  /** null: derived from name, description and parameters by the open table in roles.ts */
  role: Role | null
  description: string | null
  parameters: string[]
}

export interface EngineEnvironment {
  key: string
  tools: EngineTool[]
  state: string[]
  verifier: { kind: string | null; checks: string[] }
  /** declared reward range, or null: starts at [0, 1] and widens by `range` entries */
  rewardRange: [number, number] | null
  horizon: number | null
  /** most picks that may be leased at once, or null */
  maxConcurrent: number | null
}

export interface EngineTask {
  /** index into `environments` */
  environment: number
  key: string
  text: string | null
  /** tools required or allowed, in order where the source gives one; repeats count */
  tools: string[]
  state: string[]
  checks: string[]
}

export interface EngineTaskSet {
  environments: EngineEnvironment[]
  tasks: EngineTask[]
}
