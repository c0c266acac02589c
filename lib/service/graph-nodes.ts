/**
 * Which tasks and edges of a stored graph an answer holds. Pure over a catalog.
 * Invariant: tasks are in task order, each once; an edge is there if both its ends are; pairs tell all cross edges.
 */
import type { GraphView } from '@/lib/contract/graph'
import { MOST_TASKS } from '@/lib/contract/graph'
import { type Catalog, environmentByIdIn, environmentOf, taskByIdIn } from './catalog'

/** What `graphSelection` was read into. */
export interface NodeWish {
  level: 'auto' | 'tasks' | 'environments'
  open?: string
  around?: string
  hops: number
  also?: string[]
}

export function levelOf(catalog: Catalog, { level }: Pick<NodeWish, 'level'>): GraphView['level'] {
  if (level !== 'auto') return level
  return catalog.tasks.length > MOST_TASKS ? 'environments' : 'tasks'
}

type Passes = (edge: Catalog['edges'][number]) => boolean

/** Positions of the tasks, null = all; only edges that pass lead around. Throws not_found for an id that is none. */
export function tasksWished(catalog: Catalog, wish: NodeWish, passes: Passes = () => true): number[] | null {
  const open = wish.open === undefined ? null : environmentByIdIn(catalog, wish.open)
  const around = wish.around === undefined ? null : taskByIdIn(catalog, wish.around)
  const also = (wish.also ?? []).map((id) => taskByIdIn(catalog, id))
  if (levelOf(catalog, wish) === 'tasks') return null
  const wanted = new Set(also)
  if (around !== null) for (const task of within(catalog, around, wish.hops, passes)) wanted.add(task)
  if (open !== null) {
    for (const [task, row] of catalog.set.tasks.entries()) if (row.environment === open) wanted.add(task)
  }
  return [...wanted].sort((a, b) => a - b)
}

/** The task and all within so many hops. */
function within({ edges, edgesOf }: Catalog, task: number, hops: number, passes: Passes): Set<number> {
  const reached = new Set([task])
  let rim = [task]
  for (let hop = 0; hop < hops; hop++) {
    const next: number[] = []
    for (const from of rim) {
      for (const at of edgesOf[from] ?? []) {
        const edge = edges[at]
        if (edge === undefined || !passes(edge)) continue
        const other = edge.source === from ? edge.target : edge.source
        if (reached.has(other)) continue
        reached.add(other)
        next.push(other)
      }
    }
    rim = next
  }
  return reached
}

/** Edges with both ends among the tasks, as positions in `tasks`. */
export function edgesAmong(catalog: Catalog, tasks: readonly number[] | null): Catalog['edges'] {
  if (tasks === null) return catalog.edges
  const place = new Map(tasks.map((task, i) => [task, i]))
  return tasks.flatMap((task, source) =>
    (catalog.edgesOf[task] ?? []).flatMap((at) => {
      const edge = catalog.edges[at]
      const target = edge === undefined || edge.source !== task ? undefined : place.get(edge.target)
      return edge === undefined || target === undefined ? [] : [{ ...edge, source, target }]
    }),
  )
}

interface Told {
  pairs: GraphView['pairs']
  counts: GraphView['counts']
}

/** A catalog never changes, so what is told of all its edges is added up once. */
const told = new WeakMap<Catalog, Told>()

export function wholeOf(catalog: Catalog): Told {
  const known = told.get(catalog)
  if (known !== undefined) return known
  const count = catalog.environments.length
  const cells = new Map<number, { edges: number; sum: number }>()
  let inside = 0
  for (const { source, target, kind, weight } of catalog.edges) {
    if (kind === 'within') inside += 1
    const one = environmentOf(catalog, source)
    const other = environmentOf(catalog, target)
    if (one === other) continue
    const at = Math.min(one, other) * count + Math.max(one, other)
    const cell = cells.get(at)
    if (cell === undefined) cells.set(at, { edges: 1, sum: weight })
    else {
      cell.edges += 1
      cell.sum += weight
    }
  }
  const sorted = [...cells].sort(([p, x], [q, y]) => y.sum - x.sum || p - q)
  const made: Told = {
    pairs: {
      a: sorted.map(([at]) => Math.floor(at / count)),
      b: sorted.map(([at]) => at % count),
      edges: sorted.map(([, cell]) => cell.edges),
      weight: sorted.map(([, cell]) => Math.round((1e4 * cell.sum) / cell.edges) / 1e4),
    },
    counts: { within: inside, cross: catalog.edges.length - inside },
  }
  told.set(catalog, made)
  return made
}
