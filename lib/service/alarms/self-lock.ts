/**
 * Self-lock: a task that is never solved although tasks that share everything it needs are. Without a solved rollout it gives no
 * gradient, so it stays where it is; most such tasks have a broken verifier.
 * Formula: for each group of a task whose rewards are all zero, expected += rollouts * product over the things it uses (tools
 * call by call; else its environment) of the fading share (rate .1) of rollouts at the high end in its environment that use them. A
 * reward above zero takes all back. A task is locked at expected >= 8 and 2 groups; it is told by environment.
 * Why: a task that needs two steps is solved at least as often as the product of how often tasks with these steps are, so 8 expected
 * solves and none is a chance of e^-8 = .0003 at most; one hard step (a thing nobody solves) makes the product zero and keeps it silent.
 */
import type { GroupRow } from '@/lib/store/group'
import { type AlarmRule, counted, percent, perEnvironment } from './ring'

const RATE = 0.1
/** groups that a thing's share rests on, at least */
const THING_GROUPS = 3
const EXPECTED = 8
const TASK_GROUPS = 2
const NAMED = 3

interface Zero {
  groups: number
  rollouts: number
  expected: number
}

export interface SelfLockBook {
  /** by thing: fading share of rollouts at the high end, groups behind it */
  things: Map<string, { solved: number; groups: number }>
  /** tasks that have only had zeros since their last reward */
  zeros: Map<number, Zero>
}

export const emptySelfLock = (): SelfLockBook => ({ things: new Map(), zeros: new Map() })

/** Share of solved rollouts that what the task uses lets one expect at least; 0 where nothing is known of a thing. */
function expectedShare(book: SelfLockBook, things: readonly string[]): number {
  return things.reduce((product, thing) => {
    const known = book.things.get(thing)
    return known === undefined || known.groups < THING_GROUPS ? 0 : product * known.solved
  }, 1)
}

/** `things`: what the task uses, repeats kept; one name for the whole environment where a task set tells nothing. */
export function foldSelfLock(book: SelfLockBook, group: GroupRow, things: readonly string[]): void {
  const { mean, trusted, high, task } = group
  if (mean === null || !Number.isFinite(mean) || trusted === 0 || things.length === 0) return
  if (mean > 0) book.zeros.delete(task)
  else {
    const zero = book.zeros.get(task) ?? { groups: 0, rollouts: 0, expected: 0 }
    zero.groups += 1
    zero.rollouts += trusted
    zero.expected += trusted * expectedShare(book, things)
    book.zeros.set(task, zero)
  }
  for (const thing of new Set(things)) {
    const known = book.things.get(thing) ?? { solved: 0, groups: 0 }
    known.groups += 1
    known.solved += Math.max(RATE, 1 / known.groups) * (high / trusted - known.solved)
    book.things.set(thing, known)
  }
}

/** Tasks that are locked, the surest first. */
export function lockedTasks(book: SelfLockBook): { task: number; zero: Zero }[] {
  return [...book.zeros]
    .filter(([, zero]) => zero.groups >= TASK_GROUPS && zero.expected >= EXPECTED)
    .map(([task, zero]) => ({ task, zero }))
    .sort((a, b) => b.zero.expected - a.zero.expected || a.task - b.task)
}

export const selfLock: AlarmRule = (run) =>
  perEnvironment(run, ({ name, paused, book }) => {
    const locked = paused ? [] : lockedTasks(book.selfLock)
    const rollouts = locked.reduce((sum, one) => sum + one.zero.rollouts, 0)
    const expected = locked.reduce((sum, one) => sum + one.zero.expected, 0)
    if (!(rollouts > 0)) return null
    const named = locked.slice(0, NAMED).map((one) => run.taskName(one.task))
    const rest = locked.length > NAMED ? ` and ${locked.length - NAMED} more` : ''
    return {
      kind: 'self_lock',
      severity: 'warn',
      title: `${name}: ${counted(locked.length, 'task')} never paid.`,
      sentence: `No reward in ${rollouts} rollouts of ${named.join(', ')}${rest}, where tasks that use the same are solved ${percent(expected / rollouts)} of the time at least: check ${locked.length === 1 ? 'its verifier, or ban it' : 'their verifiers, or ban them'}.`,
      ago: 0,
    }
  })
