/**
 * Finds the tasks of one task set in another: by environment key and task key, and what is left by its content.
 * Owns: what "the same task" means when a task set changed. Pure. Invariant: a task is matched once; a task whose keys are
 * there but whose content changed is still that task, and is told as changed.
 */
import { createHash } from 'node:crypto'
import type { RestoreAnswer } from '@/lib/contract/state'
import type { TaskRow } from '@/lib/store/task'

export interface NamedTask {
  environment: string
  key: string
  /** hash of all but its keys */
  content: string
}

export interface TaskMatch {
  /** position in the second set by position in the first; null = not there any more */
  to: (number | null)[]
  difference: RestoreAnswer['taskSet']
}

const EXAMPLES = 5

/** Stored hashes hold positions of environments, which move when one is added: content is hashed anew without them. */
export function contentOf({ text, tools, state, checks, payload }: TaskRow): string {
  return createHash('sha256')
    .update(JSON.stringify([text, tools, state, checks, payload]))
    .digest('base64')
}

export function matchTasks(before: readonly NamedTask[], after: readonly NamedTask[]): TaskMatch {
  const joined = (environment: string, rest: string) => `${environment}\u0000${rest}`
  const byKeys = new Map(after.map((task, position) => [joined(task.environment, task.key), position]))
  const to = before.map(({ environment, key }) => byKeys.get(joined(environment, key)) ?? null)
  const taken = new Set(to)
  const byContent = new Map<string, number[]>()
  for (const [position, { environment, content }] of after.entries()) {
    if (taken.has(position)) continue
    const name = joined(environment, content)
    const places = byContent.get(name)
    if (places === undefined) byContent.set(name, [position])
    else places.push(position)
  }
  for (const [position, { environment, content }] of before.entries())
    if (to[position] === null) to[position] = byContent.get(joined(environment, content))?.shift() ?? null
  const found = new Set(to)
  const changed = before.filter((task, position) => {
    const place = to[position]
    return typeof place === 'number' && after[place]?.content !== task.content
  })
  const removed = before.filter((_, position) => to[position] === null)
  const added = after.filter((_, position) => !found.has(position))
  return {
    to,
    difference: {
      same: before.length - removed.length - changed.length,
      changed: changed.length,
      added: added.length,
      removed: removed.length,
      examples: { changed: examplesOf(changed), added: examplesOf(added), removed: examplesOf(removed) },
    },
  }
}

const examplesOf = (tasks: readonly NamedTask[]) =>
  tasks.slice(0, EXAMPLES).map(({ environment, key }) => ({ environment, task: key }))

/** Of a task set with itself. */
export const noDifference = (tasks: number): RestoreAnswer['taskSet'] => ({
  same: tasks,
  changed: 0,
  added: 0,
  removed: 0,
  examples: { changed: [], added: [], removed: [] },
})
