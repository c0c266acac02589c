/**
 * States that proposals are made on, and what those proposals have in common, for as long as the run's log stands still: the
 * next batch, its preview and the preview of another draft fold what came back once and predict every task once. When the log takes
 * exactly these entries, the copy becomes the run's state, so that a trainer does not wait for what a page has already seen.
 * Owns: which are kept. Must never know: drafts. Invariant: an outlook equals the run's state with `pending` folded on it, to the bit;
 * one of a log number that has passed is never used. Few are kept, since each is a copy of a state.
 */
import { type Foretold, foretell } from '@/lib/engine/foretell'
import type { LogEntry } from '@/lib/engine/log-entry'
import type { Memo } from '@/lib/engine/memo'
import { applyEntry, cloneScheduler, memoOf, type Scheduler } from '@/lib/engine/scheduler'

/** One with what came back, one more for a draft that drains an environment. */
const KEPT = 2

export interface Outlook {
  scheduler: Scheduler
  memo: Memo
  /** for each entry folded: what was said just before, where it is a group with something trusted */
  told: (Foretold | null)[]
}

interface Kept extends Outlook {
  run: string
  seq: number
  key: string
}

/** Times of these entries do not reach the state, and differ from one look to the next. */
const keyOf = (pending: readonly LogEntry[]) =>
  JSON.stringify(pending, (name, value: unknown) => (name === 'at' ? undefined : value))

/** Those whose time stays in the state: leases keep when they were issued. */
const keepsTime = ({ kind }: LogEntry) => kind === 'batch' || kind === 'override'

export interface Outlooks {
  of: (run: string, seq: number, scheduler: Scheduler, pending: readonly LogEntry[]) => Outlook
  /** The outlook with exactly these entries, now that the log takes them; every other one of the run is dropped. Null = none. */
  take: (run: string, seq: number, entries: readonly LogEntry[]) => Outlook | null
  drop: (run: string) => void
}

/** Folds entries in order and tells what was said of each group just before; `quiet`: nobody asks. */
export function foldAll(scheduler: Scheduler, entries: readonly LogEntry[], quiet = false): (Foretold | null)[] {
  return entries.map((entry) => {
    // the evidence of a pick was told when it was picked
    const told =
      entry.kind === 'group' && entry.trusted > 0 && !quiet
        ? foretell(scheduler.models, entry, entry.lease === null)
        : null
    applyEntry(scheduler, entry)
    return told?.() ?? null
  })
}

export function createOutlooks(): Outlooks {
  let kept: Kept[] = []
  const find = (run: string, seq: number, key: string) =>
    kept.find((one) => one.run === run && one.seq === seq && one.key === key) ?? null
  const drop = (run: string) => {
    kept = kept.filter((one) => one.run !== run)
  }
  return {
    of: (run, seq, scheduler, pending) => {
      const key = keyOf(pending)
      const found = find(run, seq, key)
      if (found !== null) return found
      const on = pending.length === 0 ? scheduler : cloneScheduler(scheduler)
      const told = foldAll(on, pending)
      const made: Kept = { run, seq, key, scheduler: on, memo: memoOf(on), told }
      kept = [made, ...kept].slice(0, KEPT)
      return made
    },
    take: (run, seq, entries) => {
      const found = entries.length === 0 || entries.some(keepsTime) ? null : find(run, seq, keyOf(entries))
      drop(run)
      if (found !== null) kept = [{ ...found, seq: seq + entries.length, key: keyOf([]) }, ...kept].slice(0, KEPT)
      return found
    },
    drop,
  }
}
