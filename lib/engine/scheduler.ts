/**
 * The engine's façade: a scheduler of one run is the fold of its log, and a batch is proposed from it.
 * Owns: keeping field and state in step. Must never know: time, storage, names of people.
 * Invariants: `applyEntry` is the only thing that changes a scheduler, the same to the bit everywhere; `proposeBatch` leaves
 * it as it was; decode(encode(s)) goes on as s does. Neither throws for an entry or a request that makes no sense.
 * Source: engine.md and decided points 1 to 19 of the design.
 */
import type { SchedulerConfig } from './config'
import { decide } from './decide'
import type { BatchDecision, BatchRequest, Evidence } from './decision'
import { evidenceOf } from './evidence'
import { foldEntry } from './fold'
import { type ChangeGround, type Issue, changeIssues as issuesOfChange } from './issues'
import type { Reading } from './ladder'
import type { GroupEntry, LogEntry, OverrideChange } from './log-entry'
import { createMemo, type Memo } from './memo'
import {
  absorb,
  advanceModels,
  cloneModels,
  createModels,
  type Models,
  type PredictorRecord,
  predictorRecords,
  setModelsRange,
} from './models'
import { decodeModels, encodeModels } from './models-codec'
import { foldOverride, inForce } from './overrides'
import type { Ground } from './proposal'
import { cloneState, createState, type State } from './state'
import { decodeState, encodeState } from './state-bytes'
import { buildStructure, type Structure } from './structure'
import type { EngineTaskSet } from './task-set'
import { type SchedulerView, viewOfState } from './view'

export interface Scheduler {
  set: EngineTaskSet
  structure: Structure
  models: Models
  state: State
}

/** One change of a draft, held for `batches` batches (null = until lifted). */
export interface DraftChange {
  change: OverrideChange
  batches: number | null
}

/** Policy versions that are walked through at once; a run that starts at step 40,000 has not drifted 40,000 times. */
const LONGEST_ADVANCE = 256

/** A scheduler of an empty log; `structure` where it was built before. Throws RangeError where the task set names what it does not have. */
export function createScheduler(
  set: EngineTaskSet,
  config: SchedulerConfig,
  seed: string,
  structure = buildStructure(set),
): Scheduler {
  const models = createModels(structure, set)
  return { set, structure, models, state: createState(set, config, seed, structure.patternNames.length) }
}

export function cloneScheduler(s: Scheduler): Scheduler {
  return { ...s, models: cloneModels(s.models), state: cloneState(s.state) }
}

export function encodeScheduler(s: Scheduler): Uint8Array {
  return encodeState(s.state, encodeModels(s.models))
}

/** The scheduler these bytes were made from, on the same task set. Throws RangeError where they do not fit. */
export function decodeScheduler(set: EngineTaskSet, bytes: Uint8Array, structure = buildStructure(set)): Scheduler {
  const { state, field } = decodeState(set, bytes)
  return { set, structure, state, models: decodeModels(structure, set, field) }
}

/** Whether the field took it; it refuses impossible values by RangeError before anything changes. */
function taken(step: () => void): boolean {
  try {
    step()
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** A group that the field refused, as a rebuilt range or a broken report makes one: its rollouts count as untrusted. */
function distrusted(entry: GroupEntry): GroupEntry {
  return { ...entry, trusted: 0, sum: 0, sumSquares: 0, low: 0, high: 0, untrusted: entry.untrusted + entry.trusted }
}

/** The fold step: one entry of the run's log, in order. Entries that make no sense change nothing. */
export function applyEntry(s: Scheduler, entry: LogEntry): void {
  const { state, structure, models } = s
  switch (entry.kind) {
    case 'policy':
      advance(s, entry.policyVersion, entry.at)
      break
    case 'batch':
    case 'shares':
      advance(s, entry.policyVersion, entry.at)
      foldEntry(state, structure, entry)
      break
    case 'group':
      foldEntry(state, structure, taken(() => absorb(models, entry)) ? entry : distrusted(entry))
      break
    case 'range':
      if (taken(() => setModelsRange(models, entry.environment, entry.low, entry.high)))
        foldEntry(state, structure, entry)
      break
    case 'lease_end':
    case 'restore':
    case 'override':
      foldEntry(state, structure, entry)
      break
  }
}

function advance(s: Scheduler, policyVersion: number, at: number): void {
  const before = s.state.totals.policyVersion
  foldEntry(s.state, s.structure, { kind: 'policy', at, policyVersion })
  const after = s.state.totals.policyVersion
  if (before === null || after === null || after <= before) return
  advanceModels(s.models, Math.min(LONGEST_ADVANCE, after - before))
}

function groundOf(s: Scheduler, state: State, request: BatchRequest, memo: Memo): Ground {
  const { structure, set } = s
  return {
    state,
    environmentOf: structure.environmentOf,
    pattern: structure.pattern,
    taskKeyHash: structure.taskKeyHash,
    maxConcurrent: set.environments.map(({ maxConcurrent }) => maxConcurrent),
    similarity: memo.similarity,
    size: Number.isFinite(request.size) ? Math.max(0, Math.floor(request.size)) : 0,
    groupSize: Number.isFinite(request.groupSize) ? Math.max(1, Math.floor(request.groupSize)) : 1,
  }
}

/** The state with a draft applied: a copy where there is one. The field is never touched by overrides. */
function drafted(s: Scheduler, at: number, draft: readonly DraftChange[]): State {
  if (draft.length === 0) return s.state
  const state = cloneState(s.state)
  let override = state.overrides.reduce((most, one) => Math.max(most, one.override), 0)
  for (const { change, batches } of draft)
    foldOverride(state, { kind: 'override', at, override: ++override, change, batches })
  return state
}

/** Remembers what proposals from this state have in common. To be thrown away with the next entry that is applied. */
export function memoOf(s: Scheduler): Memo {
  return createMemo(s.models, s.structure)
}

/** A scheduler to fold overrides on: they never touch the field, so it is shared. */
export function cloneForOverrides(s: Scheduler): Scheduler {
  return { ...s, state: cloneState(s.state) }
}

/**
 * The next batch, under a draft where one is given. Pure: the scheduler is as it was. Always answers; shortages stand in `notes`.
 * `explain: false` leaves out runners-up and evidence (shares then stand wholly in `prior`), which cost most of the time: for
 * simulations that only need the picks. `memo`: of this state, where several batches are proposed from it.
 */
export function proposeBatch(
  s: Scheduler,
  request: BatchRequest,
  draft: readonly DraftChange[] = [],
  explain = true,
  memo = memoOf(s),
): BatchDecision {
  const state = drafted(s, request.at, draft)
  const ground = groundOf(s, state, request, memo)
  const now = inForce(state, ground.environmentOf)
  // Controls score by their own rule: what a group would teach is not asked for them.
  const size = state.config.scheduler === 'envsched' ? ground.size : 0
  const reading = memo.reading(state, ground.groupSize, now.weights.headroom, size)
  const { patternNames } = s.structure
  const { summaries } = memo
  return decide({ set: s.set, models: s.models, ground, now, reading, patternNames, explain, summaries })
}

/** Columns by task, as in Prediction. */
export type PredictionColumns = Pick<Reading, 'ability' | 'predictedVariance' | 'deviation' | 'informative'>

/** Predictions of all tasks for a group of this size, from the highest sound rung of the ladder. Not to be changed. */
export function predictions(s: Scheduler, groupSize: number, memo = memoOf(s)): PredictionColumns {
  const { ability, predictedVariance, deviation, informative } = memo.reading(s.state, groupSize, 1, 0)
  return { ability, predictedVariance, deviation, informative }
}

/** The exact evidence behind one prediction. `cut`: contributions under this share of it go to `rest`. */
export function evidence(s: Scheduler, task: number, groupSize: number, cut?: number): Evidence {
  return evidenceOf(s.models, task, groupSize, cut)
}

/** Weight of each model now, and how well every predictor did so far, shadows included. */
export function predictors(s: Scheduler): PredictorRecord[] {
  return predictorRecords(s.models)
}

export function viewOf(s: Scheduler): SchedulerView {
  return viewOfState(s.state, s.structure)
}

/** What is impossible about a change now, [] = nothing. */
export function changeIssues(s: Scheduler, change: OverrideChange): Issue[] {
  const { quotas } = inForce(s.state, s.structure.environmentOf)
  const ground: ChangeGround = {
    tasks: s.structure.tasks,
    environments: s.structure.environments,
    scheduler: s.state.config.scheduler,
    quotas,
    overrides: s.state.overrides.map(({ override }) => override),
  }
  return issuesOfChange(change, ground)
}
