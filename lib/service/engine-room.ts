/**
 * The engine's side of engine-host: the open runs and their states, and one method a call.
 * Owns: the map of states. Runs in a worker thread, or in line for commands and tests: the same code.
 */
import type { BatchDecision } from '@/lib/engine/decision'
import { islandLayout } from '@/lib/engine/layout'
import { predictMixedTask } from '@/lib/engine/mixture'
import { rangesOf } from '@/lib/engine/models'
import {
  applyEntry,
  changeIssues,
  cloneForOverrides,
  createScheduler,
  type DraftChange,
  decodeScheduler,
  encodeScheduler,
  evidence,
  predictions,
  predictors,
  proposeBatch,
  type Scheduler,
  viewOf,
} from '@/lib/engine/scheduler'
import { buildStructure } from '@/lib/engine/structure'
import type { EngineTaskSet } from '@/lib/engine/task-set'
import type { ReplayLadder } from '@/lib/testbed/replay/ladder'
import { armOutcome, drawnOutcome } from '@/lib/testbed/replay/replay-seed'
import type { Applied, EngineCalls, RunSetup, RunView, SetStructure } from './engine-host'
import { createOutlooks, foldAll } from './outlooks'

type Room = { [Name in keyof EngineCalls]: (...args: EngineCalls[Name][0]) => EngineCalls[Name][1] }

export function createEngineRoom(): Room {
  const open = new Map<string, { scheduler: Scheduler; seq: number }>()
  const stateOf = (run: string) => {
    const state = open.get(run)
    if (state === undefined) throw new Error(`run ${run} is not open in the engine`)
    return state
  }
  const outlooks = createOutlooks()
  let ladder: ReplayLadder | null = null
  const opened = () => {
    if (ladder === null) throw new Error('no history is open to replay')
    return ladder
  }
  return {
    seqOf: (run) => open.get(run)?.seq ?? null,
    open: (setup) => {
      outlooks.drop(setup.run)
      open.set(setup.run, openState(setup))
      return stateOf(setup.run).seq
    },
    apply: (run, afterSeq, entries, quiet = false, upTo = afterSeq + entries.length): Applied => {
      const state = stateOf(run)
      if (state.seq !== afterSeq) throw new Error(`run ${run} is at ${state.seq}, not at ${afterSeq}`)
      const foreseen = outlooks.take(run, afterSeq, entries)
      if (foreseen !== null) state.scheduler = foreseen.scheduler
      const made = foreseen?.told ?? foldAll(state.scheduler, entries, quiet)
      state.seq = upTo
      return { seq: state.seq, predictions: made }
    },
    propose: (run, request, draft, pending): BatchDecision => {
      const { scheduler, seq } = stateOf(run)
      const outlook = outlooks.of(run, seq, scheduler, pending)
      return proposeBatch(outlook.scheduler, request, draft, true, outlook.memo)
    },
    view: (run) => viewWithRanges(stateOf(run).scheduler),
    issues: (run, changes) => issuesOf(stateOf(run).scheduler, changes),
    predictions: (run, groupSize) => {
      const { scheduler, seq } = stateOf(run)
      const { memo } = outlooks.of(run, seq, scheduler, [])
      return predictions(scheduler, groupSize, memo)
    },
    predictors: (run) => predictors(stateOf(run).scheduler),
    predict: (run, task, groupSize) => predictMixedTask(stateOf(run).scheduler.models, task, groupSize),
    evidence: (run, task, groupSize) => evidence(stateOf(run).scheduler, task, groupSize),
    encode: (run) => encodeScheduler(stateOf(run).scheduler),
    close: (run) => {
      outlooks.drop(run)
      open.delete(run)
      return null
    },
    structure: structureOf,
    replayOpen: (history) => {
      ladder = history
      return null
    },
    replayArm: (arm, seed, sizes) => armOutcome(opened(), arm, seed, sizes),
    replayDrawn: (seed, sizes) => drawnOutcome(opened(), seed, sizes),
  }
}

function openState({ set, config, seed, snapshot }: RunSetup): { scheduler: Scheduler; seq: number } {
  if (snapshot === null) return { scheduler: createScheduler(set, config, seed), seq: 0 }
  return { scheduler: decodeScheduler(set, snapshot.bytes), seq: snapshot.seq }
}

function viewWithRanges(scheduler: Scheduler): RunView {
  const { low, high } = rangesOf(scheduler.models)
  return {
    ...viewOf(scheduler),
    ranges: Array.from(low, (value, environment): [number, number] => [value, high[environment] ?? 1]),
  }
}

/** Each change is checked on top of the possible ones before it, on a copy. */
function issuesOf(scheduler: Scheduler, changes: readonly DraftChange[]): (string | null)[] {
  const copy = cloneForOverrides(scheduler)
  let number = copy.state.overrides.reduce((most, { override }) => Math.max(most, override), 0)
  return changes.map(({ change, batches }) => {
    const issue = changeIssues(copy, change)[0]
    if (issue !== undefined) return issue.message
    number += 1
    applyEntry(copy, { kind: 'override', at: 0, override: number, change, batches })
    return null
  })
}

function structureOf(set: EngineTaskSet): SetStructure {
  const structure = buildStructure(set)
  const edges = structure.edges()
  const layout = islandLayout({
    environments: set.environments.length,
    environmentOf: structure.environmentOf,
    taskKeyHash: structure.taskKeyHash,
    edges,
  })
  return {
    edges: {
      source: Int32Array.from(edges, ({ source }) => source),
      target: Int32Array.from(edges, ({ target }) => target),
      cross: Uint8Array.from(edges, ({ kind }) => (kind === 'cross' ? 1 : 0)),
      weight: Float64Array.from(edges, ({ weight }) => weight),
    },
    pattern: structure.pattern,
    patternNames: structure.patternNames,
    x: layout.x,
    y: layout.y,
    islands: layout.islands,
  }
}
