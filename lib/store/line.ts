/**
 * The line of a run: which entries of its log, and which of its rollouts, a state is made from. A restore goes back to an
 * earlier place and goes on from there, so the line of a later state leaves out what lies between.
 * Must never know: what entries mean. Invariant: without restores the line is everything; the line of a place on a line is
 * its beginning, so a state that stands on it only needs what follows.
 */
import type { Db } from './database'
import { entriesOfKind } from './log'

/** After, up to and with. */
export type Span = readonly [after: number, upTo: number]

/** A restore, as far as lines go by it. */
export interface Fork {
  /** log number of its entry */
  seq: number
  epoch: number
  /** rollouts that had arrived when it was written */
  rollouts: number
  /** where the line goes on */
  to: { seq: number; rollouts: number }
}

/** Restores of a run, oldest first, superseded ones too. */
export async function forksOf(db: Db, runId: string): Promise<Fork[]> {
  const found = await entriesOfKind<{ to: Fork['to']; from: { rollouts: number } }>(db, runId, 'restore')
  return found.map(({ seq, epoch, payload }) => ({ seq, epoch, to: payload.to, rollouts: payload.from.rollouts }))
}

/** Spans of log numbers on the line of the state at `seq`, oldest first. */
export function entrySpans(forks: readonly Fork[], seq: number): Span[] {
  return spansOf(forks, seq, (fork) => ({ begins: fork.seq - 1, to: fork.to.seq }))
}

/** Spans of arrival numbers of rollouts on the line of the state at `seq` that had `rollouts`. */
export function rolloutSpans(forks: readonly Fork[], seq: number, rollouts: number): Span[] {
  return spansOf(forks, seq, (fork) => ({ begins: fork.rollouts, to: fork.to.rollouts }), rollouts)
}

function spansOf(
  forks: readonly Fork[],
  seq: number,
  place: (fork: Fork) => { begins: number; to: number },
  end = seq,
): Span[] {
  const spans: Span[] = []
  let at = seq
  let upTo = end
  for (const fork of [...forks].sort((a, b) => b.seq - a.seq)) {
    if (fork.seq > at) continue
    const { begins, to } = place(fork)
    if (upTo > begins) spans.unshift([begins, upTo])
    at = fork.to.seq
    upTo = to
  }
  if (upTo > 0) spans.unshift([0, upTo])
  return spans
}

export const isIn = (spans: readonly Span[], number: number) =>
  spans.some(([after, upTo]) => number > after && number <= upTo)
