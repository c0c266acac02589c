/**
 * Where the engine runs. Owns: the calls that services make of it, in plain data, so that the engine can live in a
 * worker thread and the page and the API stay quick while it works.
 * Must never know: databases, requests. Invariant: a run's state is at log number `seq`; entries are applied in order,
 * one after the other, and a call that finds another number says so instead of guessing.
 */
import type { SchedulerConfig } from '@/lib/engine/config'
import type { BatchDecision, BatchRequest, Evidence, Prediction } from '@/lib/engine/decision'
import type { Foretold } from '@/lib/engine/foretell'
import type { LogEntry } from '@/lib/engine/log-entry'
import type { PredictorRecord } from '@/lib/engine/models'
import type { DraftChange, PredictionColumns } from '@/lib/engine/scheduler'
import type { EngineTaskSet } from '@/lib/engine/task-set'
import type { SchedulerView } from '@/lib/engine/view'
import type { ReplayLadder } from '@/lib/testbed/replay/ladder'
import type { ArmOutcome, SeedOutcome, Sizes } from '@/lib/testbed/replay/replay-seed'

export interface RunSetup {
  run: string
  set: EngineTaskSet
  config: SchedulerConfig
  seed: string
  snapshot: { seq: number; bytes: Uint8Array } | null
}

/** The state's view, with the reward range in force of each environment. */
export interface RunView extends SchedulerView {
  ranges: [number, number][]
}

export interface Applied {
  seq: number
  /** for each entry: what was said just before, where the entry is a group and it was asked for */
  predictions: (Foretold | null)[]
}

/** Edges as columns, one number an edge: hundreds of thousands of objects take seconds and much memory on their way out of a thread. */
export interface EdgeColumns {
  source: Int32Array
  target: Int32Array
  /** 1 where the edge joins two environments */
  cross: Uint8Array
  weight: Float64Array
}

/** What is computed once when a task set is registered. */
export interface SetStructure {
  edges: EdgeColumns
  pattern: Int32Array
  patternNames: string[]
  x: Float32Array
  y: Float32Array
  islands: { x: number; y: number; radius: number }[]
}

/** Method name to [arguments, result]; the worker speaks the same names. */
export interface EngineCalls {
  /** log number of the run's state, or null when it is not open */
  seqOf: [[run: string], number | null]
  open: [[setup: RunSetup], number]
  /**
   * `quiet`: nothing is foretold, for states that are only rebuilt. `upTo`: log number afterwards, where superseded entries
   * lie between; else as many further as there are entries
   */
  apply: [[run: string, afterSeq: number, entries: LogEntry[], quiet?: boolean, upTo?: number], Applied]
  /** `pending`: entries folded on a copy first; the run's own state stays as it is */
  propose: [[run: string, request: BatchRequest, draft: DraftChange[], pending: LogEntry[]], BatchDecision]
  view: [[run: string], RunView]
  /** for each change in order, what makes it impossible on top of the ones before, or null */
  issues: [[run: string, changes: DraftChange[]], (string | null)[]]
  predictions: [[run: string, groupSize: number], PredictionColumns]
  /** weight of each model now, and how well every predictor did so far */
  predictors: [[run: string], PredictorRecord[]]
  predict: [[run: string, task: number, groupSize: number], Prediction]
  evidence: [[run: string, task: number, groupSize: number], Evidence]
  encode: [[run: string], Uint8Array]
  close: [[run: string], null]
  structure: [[set: EngineTaskSet], SetStructure]
  /** a history to replay on this host, in place of the one before */
  replayOpen: [[ladder: ReplayLadder], null]
  /** null where the arm needs structure and the history has none */
  replayArm: [[arm: string, seed: number, sizes: Sizes], ArmOutcome | null]
  replayDrawn: [[seed: number, sizes: Sizes], Pick<SeedOutcome, 'drawn' | 'ceiling'>]
}

export type EngineHost = {
  [Name in keyof EngineCalls]: (...args: EngineCalls[Name][0]) => Promise<EngineCalls[Name][1]>
} & {
  stop(): Promise<void>
  /** calls that wait or are worked on */
  waiting(): number
}
