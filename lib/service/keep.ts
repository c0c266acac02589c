/**
 * Which trajectory text of a run is kept: the rule, what it frees, and applying it.
 * Owns: what a rule means for rollouts. Invariant: only text goes. Rollouts, groups, predictions and the log are never
 * touched, so statistics and the scheduler's state are the same before and after (tested).
 */
import type { Principal } from '@/lib/contract/access'
import {
  type Freed,
  KEEP_ALL,
  type KeepRule,
  type KeepState,
  type Kept,
  keepQuery,
  keepRule,
} from '@/lib/contract/keep'
import { appendAudit } from '@/lib/store/audit'
import { listRuns, type RunRow, updateRun } from '@/lib/store/run'
import { type DropRule, dropText, newestRollout, textUnder } from '@/lib/store/trajectory'
import { faultOf, log } from './logger'
import { EVERYTHING, textBetween } from './measured'
import { requireRun, withRun } from './open-run'
import type { Runtime } from './runtime'
import { invalid } from './service-error'

const NOTHING: Freed = { rollouts: 0, bytes: 0 }
/** Rollouts whose text goes in one transaction. */
const SLICE = 2000
const ALL = 10_000
/** When the night's sweep is due, in the server's own time. */
const NIGHT_HOUR = 3

export function ruleOf(run: Pick<RunRow, 'keep'>): KeepRule {
  const parsed = keepRule.safeParse(run.keep)
  return parsed.success ? parsed.data : KEEP_ALL
}

/** What the rule drops now, or null where it keeps all. */
async function dropOf(runtime: Runtime, run: RunRow, rule: KeepRule): Promise<DropRule | null> {
  if (rule.text === 'all') return null
  if (rule.text === 'newest' && run.policyVersion === null) return null
  const bars = rule.failures
    ? await withRun(runtime, run.id, async () =>
        (await runtime.engine.view(run.id)).ranges.map(([low, high]) => (low + high) / 2),
      )
    : null
  return {
    above: rule.text === 'newest' ? (run.policyVersion ?? 0) - rule.newest : null,
    bars,
    keepErrors: rule.errors,
  }
}

async function freedBy(runtime: Runtime, run: RunRow, rule: KeepRule): Promise<Freed> {
  const drop = await dropOf(runtime, run, rule)
  if (drop === null) return NOTHING
  const { db } = runtime.database
  return textBetween(db, run.id, drop, 0, await newestRollout(db, run.id))
}

/** The rule in force, or the one that the query asks about, and what it would free now. Writes nothing. */
export async function readKeep(runtime: Runtime, runId: string, query: unknown): Promise<KeepState> {
  const parsed = keepQuery.safeParse(query)
  if (!parsed.success) throw invalid('rule', parsed.error.issues)
  const { run } = await requireRun(runtime, runId)
  const { text, ...rest } = parsed.data
  const rule = ruleOf(run)
  return {
    rule,
    sweptAt: run.sweptAt === null ? null : new Date(run.sweptAt).toISOString(),
    policyVersion: run.policyVersion,
    frees: await freedBy(runtime, run, text === undefined ? rule : { text, ...rest }),
  }
}

/** Takes the rule and applies it at once; the nightly sweep applies it from then on. */
export async function changeKeep(
  runtime: Runtime,
  runId: string,
  body: unknown,
  who: Principal,
  now: number,
): Promise<Kept> {
  const parsed = keepRule.safeParse(body)
  if (!parsed.success) throw invalid('rule', parsed.error.issues)
  const { run } = await requireRun(runtime, runId)
  const rule = parsed.data
  await runtime.database.transaction((tx) => updateRun(tx, runId, { keep: rule }))
  const freed = await sweep(runtime, run, await dropOf(runtime, run, rule), now)
  await tell(runtime, runId, 'text.keep', { ...rule, freed }, who.name, now)
  return { rule, freed }
}

/** Drops all trajectory text of a run, whatever its rule. */
export async function dropAllText(runtime: Runtime, runId: string, who: Principal, now: number): Promise<Freed> {
  const { run } = await requireRun(runtime, runId)
  const freed = await sweepAll(runtime, run, now)
  await tell(runtime, runId, 'text.delete', { freed }, who.name, now)
  return freed
}

/** The same without a word in the history. */
export const sweepAll = (runtime: Runtime, run: RunRow, now: number) => sweep(runtime, run, EVERYTHING, now)

async function sweep(runtime: Runtime, run: RunRow, drop: DropRule | null, now: number): Promise<Freed> {
  const freed: Freed = { ...NOTHING }
  const top = drop === null ? 0 : await newestRollout(runtime.database.db, run.id)
  for (let at = 0; drop !== null && at < top; at += SLICE) {
    const upTo = Math.min(top, at + SLICE)
    // most slices of a nightly sweep hold nothing any more: no transaction for those
    if ((await textUnder(runtime.database.db, run.id, drop, at, upTo)).rollouts === 0) continue
    const gone = await runtime.database.transaction(async (tx) => {
      const sum = await textUnder(tx, run.id, drop, at, upTo)
      await dropText(tx, run.id, drop, at, upTo)
      return sum
    })
    freed.rollouts += gone.rollouts
    freed.bytes += gone.bytes
  }
  await runtime.database.transaction((tx) => updateRun(tx, run.id, { sweptAt: now }))
  return freed
}

async function tell(runtime: Runtime, runId: string, action: string, detail: object, actor: string, at: number) {
  await runtime.database.transaction((tx) =>
    appendAudit(tx, { runId, at, actor, action, detail: JSON.stringify(detail) }),
  )
}

/** Epoch ms of the newest night hour at or before `now`. */
export function lastNight(now: number): number {
  const night = new Date(now)
  night.setHours(NIGHT_HOUR, 0, 0, 0)
  if (night.getTime() > now) night.setDate(night.getDate() - 1)
  return night.getTime()
}

/** Applies the rules of runs that were not swept since the last night. Safe to repeat; one run's fault leaves the others. */
export async function sweepDue(runtime: Runtime, now: number): Promise<Freed> {
  const all: Freed = { ...NOTHING }
  const { items } = await listRuns(runtime.database.db, { limit: ALL })
  for (const run of items) {
    const rule = ruleOf(run)
    if (rule.text === 'all' || (run.sweptAt ?? 0) >= lastNight(now)) continue
    try {
      const freed = await sweep(runtime, run, await dropOf(runtime, run, rule), now)
      if (freed.rollouts > 0) await tell(runtime, run.id, 'text.keep', { ...rule, freed }, 'nightly sweep', now)
      all.rollouts += freed.rollouts
      all.bytes += freed.bytes
    } catch (cause) {
      log('error', 'sweep_failed', { run: run.id, ...faultOf(cause) })
    }
  }
  return all
}
