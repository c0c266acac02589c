/**
 * What the tables of the demo's environments say.
 * Owns: the shape. Must never know: how a world is assembled from it (demo-world.ts).
 * Invariant: every step names a tool of its environment; `act` is a verb of the vocabulary, `object` one of its goals.
 */
export type DemoTrouble = 'starved' | 'saturated' | 'flaky' | 'slow' | 'broken'

export interface DemoEnvironment {
  key: string
  name: string
  trouble: DemoTrouble | null
  /** initial skill in logits; higher is easier */
  skill: number
  shortest: number
  graded: boolean
  secondsPerCall: number
  /** name, act, parameters */
  tools: [string, string, string[]][]
  /** goal's object, the correct tool, what a person asks for */
  steps: [string, string, string][]
}
