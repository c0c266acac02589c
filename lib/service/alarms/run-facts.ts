/**
 * Gathers what alarm rules are given, from a run's history and the engine's view.
 * Owns: keeping a run's alarm book current: only groups absorbed since the last time are folded. Must never know: rules.
 * Cost: O(tasks + recent groups), tasks for what is banned and waits.
 */
import type { SchedulerView } from '@/lib/engine/view'
import type { Catalog } from '@/lib/service/catalog'
import { type RunHistory, recentGroups } from '@/lib/service/run-history'
import { RECENT } from '@/lib/service/run-summary'
import type { GroupRow } from '@/lib/store/group'
import { emptyBook, foldBook, type RunBook } from './alarm-book'
import { STUCK_BATCHES } from './leases'
import type { EnvironmentFacts, RunFacts } from './ring'

interface KeptBook {
  book: RunBook
  /** ranges of the environments that declare none, as they were when the book was begun */
  ranges: string
}

const books = new WeakMap<RunHistory, KeptBook>()

type Range = readonly [number, number]

/** The book of everything absorbed so far; begun anew when a range widened, since its old means were of the old range. */
function bookOf({ catalog, history, view }: FactsInput): RunBook {
  const rangeOf = (environment: number): Range | null =>
    catalog.set.environments[environment]?.rewardRange === null ? (view.ranges?.[environment] ?? null) : null
  const ranges = JSON.stringify(catalog.environments.map((_, environment) => rangeOf(environment)))
  const before = books.get(history)
  const kept = before?.ranges === ranges ? before : { ranges, book: emptyBook(catalog.environments.length) }
  books.set(history, kept)
  const { book } = kept
  const places = {
    environmentOf: (task: number) => catalog.set.tasks[task]?.environment ?? -1,
    thingsOf: (task: number) => thingsOf(catalog.set.tasks[task]),
  }
  for (let k = book.groups; k < history.absorbed.length; k += 1) {
    const group = history.groups.get(history.absorbed[k] ?? -1)
    if (group === undefined) throw new Error(`absorbed group ${k} is not in the history`)
    foldBook(book, inRange(group, rangeOf(places.environmentOf(group.task))), places)
  }
  return book
}

/** The group's reward on the range as it is now; its variance stays beside the prediction that was made for it. */
export function inRange(group: GroupRow, range: Range | null): GroupRow {
  if (range === null || group.mean === null || group.trusted === 0 || !(range[1] > range[0])) return group
  return { ...group, mean: (group.sum / group.trusted - range[0]) / (range[1] - range[0]) }
}

/** What a task uses: its tools; where it names none, state and checks; else only its environment. */
export function thingsOf(
  task: { tools: readonly string[]; state: readonly string[]; checks: readonly string[] } | undefined,
) {
  if (task === undefined || task.tools.length > 0) return task?.tools ?? []
  const rest = [...task.state.map((key) => `state ${key}`), ...task.checks.map((check) => `check ${check}`)]
  return rest.length > 0 ? rest : ['environment']
}

export interface FactsInput {
  catalog: Pick<Catalog, 'set' | 'environments' | 'tasks'>
  history: RunHistory
  /** with the ranges in force, where environments declare none */
  view: SchedulerView & { ranges?: readonly Range[] }
  released: ReadonlySet<number>
  target: number
}

export function factsOf(input: FactsInput): RunFacts {
  const { catalog, history, view, released, target } = input
  const book = bookOf(input)
  const recent = recentGroups(history, RECENT).filter((group) => !group.late)
  const byEnvironment = catalog.environments.map((): GroupRow[] => [])
  for (const group of recent) byEnvironment[catalog.set.tasks[group.task]?.environment ?? -1]?.push(group)
  const counts = catalog.environments.map(() => ({ tasks: 0, free: 0, waiting: 0 }))
  for (const [task, { environment }] of catalog.set.tasks.entries()) {
    const count = counts[environment]
    if (count === undefined) continue
    count.tasks += 1
    if (view.tasks.banned[task] !== 1) count.free += 1
    if ((view.tasks.waiting[task] ?? 0) > 0) count.waiting += 1
  }
  const environments = catalog.environments.map(({ name }, ordinal): EnvironmentFacts => {
    const state = view.environments[ordinal]
    const own = book.environments[ordinal]
    const count = counts[ordinal]
    if (state === undefined || own === undefined || count === undefined)
      throw new Error(`the engine's view has no environment ${ordinal}`)
    return {
      ordinal,
      name,
      ...count,
      leased: state.leased,
      paused: state.pause !== null,
      quota: state.quota,
      sincePick: state.lastPickedBatch === 0 ? null : view.batch - state.lastPickedBatch,
      recent: byEnvironment[ordinal] ?? [],
      book: own,
    }
  })
  return {
    batch: view.batch,
    typicalBatch: view.typicalBatch,
    uniformShare: view.config.uniformShare,
    target,
    recent,
    recentBatches: Math.min(RECENT, history.batches.length),
    newestSizes: history.batches
      .slice(-STUCK_BATCHES)
      .map((batch) => recent.reduce((count, group) => count + (group.batch === batch.index ? 1 : 0), 0)),
    leased: environments.reduce((sum, one) => sum + one.leased, 0),
    released,
    taskName: (task) => catalog.tasks[task]?.key ?? `t${task}`,
    environments,
    book,
  }
}
