/**
 * "What would EnvSched have chosen on this history": a replay of a run's stored groups, as a job that pages can watch.
 * Owns: the job's life: one a run, in this process's memory, on a thread of its own, so that batches and pages do not wait. It survives a
 * reload of the page and can be cancelled; a restart forgets it, and it can be made again.
 * Invariant: it reads only; nothing of the run changes.
 */
import type { ReplayJob, ReplayReport } from '@/lib/contract/replay'
import { reportReplay } from '@/lib/testbed/replay/replay-report'
import type { SeedOutcome } from '@/lib/testbed/replay/replay-seed'
import type { EngineHost } from './engine-host'
import { faultOf, log } from './logger'
import { requireRun } from './open-run'
import { replayLack, replayLadderOf } from './replay-ladder'
import { historyOf } from './run-history'
import type { Runtime } from './runtime'

const ARMS = [
  'uniform',
  'env-then-task',
  'env-then-task-protected',
  'env-bandit',
  'envsched',
  'envsched-no-structure',
  'oracle',
]
const SEEDS = [1, 2, 3, 4, 5]
const SIZES = { steps: 60, picks: 16 }

export interface Replay {
  state: 'running' | 'impossible' | 'done' | 'failed' | 'cancelled'
  why: string | null
  done: number
  total: number | null
  startedAt: number
  finishedAt: number | null
  /** rollouts of the run when it was started */
  rollouts: number
  report: ReplayReport | null
  host: EngineHost | null
}

/** Starts a replay, or answers the one that is running. `done` settles when it is over, and never rejects. */
export async function startReplay(
  runtime: Runtime,
  runId: string,
  clock: () => number,
): Promise<{ job: ReplayJob; done: Promise<void> }> {
  const { run } = await requireRun(runtime, runId)
  const known = runtime.replays.get(runId)
  if (known?.state === 'running') return { job: viewOf(known, run.rolloutCount, clock()), done: Promise.resolve() }
  const replay: Replay = {
    state: 'running',
    why: null,
    done: 0,
    total: null,
    startedAt: clock(),
    finishedAt: null,
    rollouts: run.rolloutCount,
    report: null,
    host: null,
  }
  runtime.replays.set(runId, replay)
  const done = work(runtime, runId, replay)
    .catch((cause: unknown) => {
      if (replay.state !== 'running') return
      log('error', 'replay_failed', { run: runId, ...faultOf(cause) })
      replay.state = 'failed'
      replay.why = 'The server met a fault of its own while it replayed; it is in its log. The run itself is untouched.'
    })
    .finally(async () => {
      replay.finishedAt = clock()
      await replay.host?.stop()
      replay.host = null
    })
  return { job: viewOf(replay, run.rolloutCount, clock()), done }
}

async function work(runtime: Runtime, runId: string, replay: Replay): Promise<void> {
  const { run, catalog } = await requireRun(runtime, runId)
  const history = await historyOf(runtime, run)
  const ladder = await replayLadderOf(runtime, runId, catalog, history)
  if (cancelled(replay)) return
  const lack = replayLack(ladder, history)
  if (lack !== null) {
    replay.state = 'impossible'
    replay.why = lack
    return
  }
  const host = runtime.startHost()
  replay.host = host
  replay.total = SEEDS.length * (ARMS.length + 1)
  await host.replayOpen(ladder)
  const outcomes: SeedOutcome[] = []
  for (const seed of SEEDS) {
    const outcome: SeedOutcome = { seed, arms: {}, drawn: {}, ceiling: null }
    for (const name of ARMS) {
      if (cancelled(replay)) return
      const arm = await host.replayArm(name, seed, SIZES)
      if (arm !== null) outcome.arms[name] = arm
      replay.done += 1
      // with the engine in line nothing above gives way to timers
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (cancelled(replay)) return
    Object.assign(outcome, await host.replayDrawn(seed, SIZES))
    replay.done += 1
    outcomes.push(outcome)
  }
  if (cancelled(replay)) return
  replay.report = reportReplay(ladder, outcomes, SIZES)
  replay.state = 'done'
}

const cancelled = ({ state }: Replay) => state !== 'running'

/** What stands of a run's replay; `not_yet` where none was asked for. */
export async function readReplay(runtime: Runtime, runId: string, now: number): Promise<ReplayJob> {
  const { run } = await requireRun(runtime, runId)
  const replay = runtime.replays.get(runId)
  if (replay !== undefined) return viewOf(replay, run.rolloutCount, now)
  return {
    state: 'not_yet',
    why: null,
    done: 0,
    total: null,
    secondsLeft: null,
    startedAt: null,
    finishedAt: null,
    rolloutsSince: 0,
    report: null,
  }
}

export async function cancelReplay(runtime: Runtime, runId: string, now: number): Promise<ReplayJob> {
  const replay = runtime.replays.get(runId)
  if (replay?.state === 'running') {
    replay.state = 'cancelled'
    replay.finishedAt = now
    const { host } = replay
    replay.host = null
    await host?.stop()
  }
  return readReplay(runtime, runId, now)
}

function viewOf(replay: Replay, rollouts: number, now: number): ReplayJob {
  const { state, why, done, total, startedAt, finishedAt, report } = replay
  const left =
    state === 'running' && total !== null && done > 0 ? ((now - startedAt) / 1000 / done) * (total - done) : null
  return {
    state,
    why,
    done,
    total,
    secondsLeft: left,
    startedAt,
    finishedAt,
    rolloutsSince: Math.max(0, rollouts - replay.rollouts),
    report,
  }
}
