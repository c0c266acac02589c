/**
 * The strongest task-to-task edges that the shared things imply: what the graph page draws and the penalty looks at.
 * Owns: which pairs are stored. The weight of a stored edge is the likeness of its two tasks, 0 to 1.
 * Cost: tasks times things times `WINDOW`; never all pairs. Invariants: each pair once, source < target, no edge of a task with
 * itself; which pairs are stored does not depend on how tasks are numbered (ties go by key hashes).
 */
import type { TaskEdge } from './decision'
import { hashPair } from './hash'
import type { Rows } from './hubs'
import { type Likeness, likenessBetween } from './likeness'

/** Neighbours each task asks for; an edge is stored when either end asks for it. */
const WITHIN_NEAREST = 5
const TEXT_NEAREST = 2
const CROSS_NEAREST = 4
const LOWEST_WEIGHT = 0.1
/** Members of one hub that a task looks at. */
const WINDOW = 48
const CANDIDATES = 24

interface Identity {
  hash: Uint32Array
  key: (task: number) => string
}

interface Postings {
  start: Int32Array
  members: Int32Array
  /** position of row entry k among the members of its hub */
  position: Int32Array
}

/** Members of each hub, alike ones side by side, so that a window over a big hub holds a task's nearest. */
function postingsOf(rows: Rows, hub: Int32Array, hubs: number, order: Int32Array): Postings {
  const start = new Int32Array(hubs + 1)
  for (const h of hub) start[h + 1]!++
  for (let h = 0; h < hubs; h++) start[h + 1]! += start[h]!
  const next = start.slice(0, hubs)
  const members = new Int32Array(hub.length)
  const position = new Int32Array(hub.length)
  for (const i of order) {
    for (let k = rows.start[i]!; k < rows.start[i + 1]!; k++) {
      const at = next[hub[k]!]!++
      members[at] = i
      position[k] = at
    }
  }
  return { start, members, position }
}

/** Tasks in an order that numbering does not change: by what they use, then by key. */
function neutralOrder(rows: Rows, identity: Identity): Int32Array {
  const tasks = rows.start.length - 1
  const bag = Array.from({ length: tasks }, (_, i) => rows.index.subarray(rows.start[i]!, rows.start[i + 1]!).join())
  const order = Array.from({ length: tasks }, (_, i) => i)
  order.sort((a, b) => compareText(bag[a]!, bag[b]!) || compareIdentity(identity, a, b))
  return Int32Array.from(order)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function compareIdentity(identity: Identity, a: number, b: number): number {
  return identity.hash[a]! - identity.hash[b]! || compareText(identity.key(a), identity.key(b))
}

/** Sorts tasks by how near they are to task i: by `rank` ascending, ties by hash of the pair, then by identity. */
function compareNearness({ rank, tie }: Scratch, identity: Identity, a: number, b: number): number {
  return rank[a]! - rank[b]! || tie[a]! - tie[b]! || compareIdentity(identity, a, b)
}

/** By task, written before each use. Hashes of pairs are taken once a candidate: sorting would ask for them again and again. */
interface Scratch {
  rank: Float64Array
  tie: Float64Array
}

interface Search {
  rows: Rows
  /** hub of each row entry, and how many hubs there are */
  hub: Int32Array
  hubs: number
  nearest: number
  accept: (i: number, j: number) => boolean
}

/** The `CANDIDATES` tasks of most overlap; who of equal ones stays is settled by `sortTies`. */
function largestOverlaps(tasks: number[], overlap: Float64Array, sortTies: (level: number[]) => void): number[] {
  if (tasks.length <= CANDIDATES) return tasks
  // Ascending list of the largest so far: most tasks lose against its first number and cost one comparison.
  const top = new Float64Array(CANDIDATES)
  for (const j of tasks) {
    const x = overlap[j]!
    if (x <= top[0]!) continue
    let at = 0
    while (at + 1 < CANDIDATES && top[at + 1]! < x) {
      top[at] = top[at + 1]!
      at++
    }
    top[at] = x
  }
  const bar = top[0]!
  const kept = tasks.filter((j) => overlap[j]! > bar)
  const level = tasks.filter((j) => overlap[j] === bar)
  if (kept.length + level.length > CANDIDATES) sortTies(level)
  for (let k = 0; kept.length < CANDIDATES; k++) kept.push(level[k]!)
  return kept
}

/** For each task its nearest others of one relation, best first. */
function nearestOf(search: Search, likeness: Likeness, identity: Identity): number[][] {
  const { rows, hub: hubOfEntry, hubs } = search
  const order = neutralOrder(rows, identity)
  const postings = postingsOf(rows, hubOfEntry, hubs, order)
  const tasks = rows.start.length - 1
  const overlap = new Float64Array(tasks)
  const scratch: Scratch = { rank: new Float64Array(tasks), tie: new Float64Array(tasks) }
  const touched: number[] = []
  let hash = 0
  const byNearness = (a: number, b: number) => compareNearness(scratch, identity, a, b)
  const sortTies = (level: number[]) => {
    for (const j of level) {
      scratch.rank[j] = 0
      scratch.tie[j] = hashPair(hash, identity.hash[j]!)
    }
    level.sort(byNearness)
  }
  return Array.from({ length: tasks }, (_, i) => {
    hash = identity.hash[i]!
    touched.length = 0
    for (let k = rows.start[i]!; k < rows.start[i + 1]!; k++) {
      const hub = hubOfEntry[k]!
      const size = postings.start[hub + 1]! - postings.start[hub]!
      const first =
        size <= WINDOW ? postings.start[hub]! : Math.max(postings.start[hub]!, postings.position[k]! - WINDOW / 2)
      const last = Math.min(postings.start[hub + 1]!, first + WINDOW)
      for (let at = first; at < last; at++) {
        const j = postings.members[at]!
        if (!search.accept(i, j)) continue
        if (overlap[j] === 0) touched.push(j)
        overlap[j]! += rows.value[k]! ** 2
      }
    }
    const near: number[] = []
    for (const j of largestOverlaps(touched, overlap, sortTies)) {
      const weight = likenessBetween(likeness, i, j)
      if (weight < LOWEST_WEIGHT) continue
      scratch.rank[j] = -weight
      scratch.tie[j] = hashPair(hash, identity.hash[j]!)
      near.push(j)
    }
    for (const j of touched) overlap[j] = 0
    return near.sort(byNearness).slice(0, search.nearest)
  })
}

function widest(rows: Rows): number {
  return rows.index.reduce((most, index) => Math.max(most, index + 1), 0)
}

/** Numbers the (environment, index) pairs of the entries, so that hubs of different environments stay apart. */
function perEnvironment(rows: Rows, environmentOf: Int32Array): { hub: Int32Array; hubs: number } {
  const rank = new Map<number, number>()
  const width = widest(rows)
  const hub = new Int32Array(rows.index.length)
  for (let i = 0; i + 1 < rows.start.length; i++) {
    for (let k = rows.start[i]!; k < rows.start[i + 1]!; k++) {
      const key = environmentOf[i]! * width + rows.index[k]!
      const known = rank.get(key) ?? rank.size
      rank.set(key, known)
      hub[k] = known
    }
  }
  return { hub, hubs: rank.size }
}

/** The stored edges, sorted by source, then target. */
export function strongestEdges(likeness: Likeness, identity: Identity): TaskEdge[] {
  const { environmentOf, within, text, cross } = likeness
  const tasks = environmentOf.length
  const other = (i: number, j: number) => i !== j
  const abroad = (i: number, j: number) => environmentOf[i] !== environmentOf[j]
  const inside = perEnvironment(within, environmentOf)
  const terms = perEnvironment(text, environmentOf)
  const searches: Search[] = [
    { rows: within, ...inside, nearest: WITHIN_NEAREST, accept: other },
    { rows: text, ...terms, nearest: TEXT_NEAREST, accept: other },
    { rows: cross, hub: cross.index, hubs: widest(cross), nearest: CROSS_NEAREST, accept: abroad },
  ]
  // of each source, its targets: few, so that looking through them is quicker than a table of all pairs
  const targets: number[][] = Array.from({ length: tasks }, () => [])
  for (const search of searches) {
    nearestOf(search, likeness, identity).forEach((others, i) => {
      for (const j of others) {
        const list = targets[Math.min(i, j)]!
        const target = Math.max(i, j)
        if (!list.includes(target)) list.push(target)
      }
    })
  }
  return targets.flatMap((list, source) =>
    list
      .sort((a, b) => a - b)
      .map((target): TaskEdge => {
        const kind = abroad(source, target) ? 'cross' : 'within'
        return { source, target, kind, weight: likenessBetween(likeness, source, target) }
      }),
  )
}
