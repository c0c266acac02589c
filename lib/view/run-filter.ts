/* Owns which runs a list shows: by words of the name and by status; and which may join those that are compared. */
import type { RunStatus, RunSummary } from '@/lib/contract/run'

const holds = (run: Pick<RunSummary, 'name' | 'scheduler' | 'taskSet'>, query: string) => {
  const text = `${run.name} ${run.scheduler} ${run.taskSet.name}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Every word of the query is in the name, the scheduler or the task set. `status` null = any. */
export function filterRuns(runs: readonly RunSummary[], query: string, status: RunStatus | null): RunSummary[] {
  return runs.filter((run) => (status === null || run.status === status) && holds(run, query.trim()))
}

/** Runs that are not chosen yet: those on the task set of the first chosen one come first, inside by the newest start. */
export function candidates(runs: readonly RunSummary[], chosen: readonly string[], query: string): RunSummary[] {
  const set = runs.find(({ id }) => id === chosen[0])?.taskSet.id ?? null
  const apart = (run: RunSummary) => (run.taskSet.id === set ? 0 : 1)
  return filterRuns(runs, query, null)
    .filter(({ id }) => !chosen.includes(id))
    .sort((a, b) => apart(a) - apart(b) || b.createdAt.localeCompare(a.createdAt))
}

/** Runs that can be compared at one press: the newest of each task set that has two or more with a batch, at most `most` of each. */
export function suggestions(runs: readonly RunSummary[], most: number): { name: string; ids: string[] }[] {
  const bySet = new Map<string, { name: string; ids: string[] }>()
  for (const run of [...runs].sort((a, b) => b.createdAt.localeCompare(a.createdAt))) {
    if (run.batch === 0) continue
    const set = bySet.get(run.taskSet.id) ?? { name: run.taskSet.name, ids: [] }
    if (set.ids.length < most) set.ids.push(run.id)
    bySet.set(run.taskSet.id, set)
  }
  return [...bySet.values()].filter(({ ids }) => ids.length > 1)
}

export interface SetWords {
  text: string
  shared: boolean
}

/** Beside the selection: whether the chosen runs can be set against each other. */
export function selectionWords(runs: readonly Pick<RunSummary, 'taskSet'>[]): SetWords {
  const sets = new Set(runs.map(({ taskSet }) => taskSet.id))
  const name = runs[0]?.taskSet.name ?? ''
  if (runs.length < 2) return { text: `on the task set ${name}; select another one to compare`, shared: true }
  if (sets.size > 1)
    return { text: `on ${sets.size} task sets: drawn beside each other, no difference is taken`, shared: false }
  const all = runs.length === 2 ? 'both' : `all ${runs.length}`
  return { text: `${all} share the task set ${name}, so they can be compared`, shared: true }
}
