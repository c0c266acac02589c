/**
 * Where each task lies on the graph page: environments are islands, tasks fill rings inside their island.
 * Shapes: n tasks, E environments, m edges; positions in graph units, tasks of one island at least SPACING apart.
 * Cost: O(STEPS E² + SWEEPS (m + n log n)); no random numbers, no clock.
 * Invariants: islands do not overlap; ties go by the hash of the task key, so renumbering tasks changes nothing but the
 * last digits; the layout is made once for a task set and stored, so that nothing moves while a run goes on.
 * Source: own. Ring k of radius k·SPACING holds 6k tasks, which gives an even density.
 */

/** Centre distance of neighbouring rings, and the least distance of two tasks. */
export const SPACING = 10
/** Free margin between the last ring and the shore. */
const SHORE = 3
/** Water between two islands, in units of the mean island radius: room to read cross edges in. */
const WATER = 0.55
const STEPS = 320
const SWEEPS = 3
/** Pull to the middle and along cross edges, a step. */
const GRAVITY = 0.012
const ATTRACTION = 0.25
/** Pages are wider than high: how much stronger the pull to the middle is along y. */
const LANDSCAPE = 3
/** How much more a task turns towards other islands than towards neighbours of its own. */
const OUTWARD = 1.4
const INWARD = 0.6
/** How little a task without neighbours counts when its ring turns. */
const QUIET = 1e-3
const GOLDEN = Math.PI * (3 - Math.sqrt(5))

export interface LayoutEdge {
  source: number
  target: number
  /** 0 or more */
  weight: number
}

export interface LayoutInput {
  environments: number
  /** n environment indices */
  environmentOf: Int32Array
  /** n hashes of the task keys: the order among equals */
  taskKeyHash: Uint32Array
  /** n values; the highest lie in the middle of their island. Without: the best connected do. */
  value?: Float32Array
  /** both kinds; whether an edge crosses is told by its ends */
  edges: readonly LayoutEdge[]
}

export interface Island {
  x: number
  y: number
  radius: number
}

export interface IslandLayout {
  /** n coordinates each, in task order */
  x: Float32Array
  y: Float32Array
  /** E islands, in environment order */
  islands: Island[]
}

/** Places n tasks on E islands. An environment without tasks keeps a small empty island. */
export function islandLayout(input: LayoutInput): IslandLayout {
  const members = membersOf(input)
  const islands = placeIslands(members, input)
  return placeTasks(members, islands, input)
}

/** Tasks of each environment, the ones for the middle first. */
function membersOf({ environments, environmentOf, taskKeyHash, value, edges }: LayoutInput): number[][] {
  const members: number[][] = Array.from({ length: environments }, () => [])
  for (let task = 0; task < environmentOf.length; task++) members[environmentOf[task]!]!.push(task)
  const order = value ?? degrees(environmentOf.length, edges)
  for (const tasks of members) {
    tasks.sort((a, b) => order[b]! - order[a]! || taskKeyHash[a]! - taskKeyHash[b]! || a - b)
  }
  return members
}

/** Summed edge weight of each task, rounded so that the order of summation cannot decide a tie. */
function degrees(n: number, edges: readonly LayoutEdge[]): Float64Array {
  const sum = new Float64Array(n)
  for (const { source, target, weight } of edges) {
    sum[source]! += weight
    sum[target]! += weight
  }
  for (let task = 0; task < n; task++) sum[task] = Math.fround(sum[task]!)
  return sum
}

/** Ring and slot count: one task in the middle, then 6, 12, 18 … */
const slots = (ring: number) => (ring === 0 ? 1 : 6 * ring)

/** Outermost ring that `count` tasks reach. */
function lastRing(count: number): number {
  let ring = 0
  for (let left = count - 1; left > 0; left -= slots(ring)) ring++
  return ring
}

// ---- islands

/** Cross-edge weight between each two environments, E x E, symmetric. */
function affinities({ environments, environmentOf, edges }: LayoutInput): Float64Array {
  const affinity = new Float64Array(environments * environments)
  for (const { source, target, weight } of edges) {
    const a = environmentOf[source]!
    const b = environmentOf[target]!
    if (a === b) continue
    affinity[a * environments + b]! += weight
    affinity[b * environments + a]! += weight
  }
  return affinity
}

/** Draws related islands together, then keeps all apart. Larger ones start nearer to the middle. */
function placeIslands(members: number[][], input: LayoutInput): Island[] {
  const count = members.length
  const islands = members.map((tasks): Island => {
    return { x: 0, y: 0, radius: SPACING * (lastRing(tasks.length) + 0.5) + SHORE }
  })
  const name = (e: number) => members[e]!.reduce((least, task) => Math.min(least, input.taskKeyHash[task]!), 2 ** 32)
  const order = islands.map((_, e) => e).sort((a, b) => islands[b]!.radius - islands[a]!.radius || name(a) - name(b))
  const meanRadius = Math.sqrt(islands.reduce((sum, { radius }) => sum + radius * radius, 0) / Math.max(1, count))
  const water = WATER * meanRadius
  order.forEach((e, rank) => {
    const distance = 1.9 * meanRadius * Math.sqrt(rank)
    islands[e]!.x = distance * Math.cos(rank * GOLDEN)
    islands[e]!.y = (distance * Math.sin(rank * GOLDEN)) / Math.sqrt(LANDSCAPE)
  })
  const affinity = affinities(input)
  const sorted = order.map((e) => islands[e]!)
  const pull = pulls(order, affinity, count)
  for (let step = 0; step < STEPS; step++) {
    attract(sorted, pull, water, 1 - step / STEPS)
    separate(sorted, water)
    separate(sorted, water)
  }
  for (let pass = 0; pass < STEPS && separate(sorted, water); pass++);
  return islands
}

/** Affinity over the geometric mean of both ends' whole affinity, E x E in `order`. */
function pulls(order: number[], affinity: Float64Array, count: number): Float64Array {
  const total = new Float64Array(count)
  for (let a = 0; a < count; a++) for (let b = 0; b < count; b++) total[a]! += affinity[a * count + b]!
  const pull = new Float64Array(count * count)
  order.forEach((a, i) => {
    order.forEach((b, j) => {
      const weight = affinity[a * count + b]!
      if (weight > 0) pull[i * count + j] = weight / Math.sqrt(total[a]! * total[b]!)
    })
  })
  return pull
}

function attract(islands: Island[], pull: Float64Array, water: number, heat: number): void {
  const count = islands.length
  for (let i = 0; i < count; i++) {
    const a = islands[i]!
    let fx = -GRAVITY * a.x
    let fy = -GRAVITY * LANDSCAPE * a.y
    for (let j = 0; j < count; j++) {
      const share = pull[i * count + j]!
      if (share === 0) continue
      const b = islands[j]!
      const distance = Math.max(1e-6, Math.hypot(b.x - a.x, b.y - a.y))
      const force = (ATTRACTION * share * Math.max(0, distance - a.radius - b.radius - water)) / distance
      fx += force * (b.x - a.x)
      fy += force * (b.y - a.y)
    }
    a.x += heat * fx
    a.y += heat * fy
  }
}

/** One pass that pushes overlapping islands apart, the smaller one further. True if any two were too near. */
function separate(islands: Island[], water: number): boolean {
  let moved = false
  for (let i = 0; i < islands.length; i++) {
    for (let j = i + 1; j < islands.length; j++) {
      const a = islands[i]!
      const b = islands[j]!
      const wanted = a.radius + b.radius + water
      let dx = b.x - a.x
      let dy = b.y - a.y
      if (Math.hypot(dx, dy) >= wanted - 1e-3) continue
      if (Math.hypot(dx, dy) < 1e-6) {
        dx = 1e-3 * (i + 1)
        dy = 1e-3
      }
      const distance = Math.hypot(dx, dy)
      const shift = (wanted - distance) / distance
      const forA = b.radius / (a.radius + b.radius)
      a.x -= dx * shift * forA
      a.y -= dy * shift * forA
      b.x += dx * shift * (1 - forA)
      b.y += dy * shift * (1 - forA)
      moved = true
    }
  }
  return moved
}

// ---- tasks

/** Neighbours of each task as rows of (task, weight): `start[t]` to `start[t + 1]`. */
function neighbourRows(n: number, edges: readonly LayoutEdge[]) {
  const start = new Int32Array(n + 1)
  for (const { source, target } of edges) {
    start[source + 1]!++
    start[target + 1]!++
  }
  for (let task = 0; task < n; task++) start[task + 1]! += start[task]!
  const fill = start.slice(0, n)
  const other = new Int32Array(2 * edges.length)
  const weights = new Float32Array(2 * edges.length)
  const put = (from: number, to: number, weight: number) => {
    const at = fill[from]!++
    other[at] = to
    weights[at] = weight
  }
  for (const { source, target, weight } of edges) {
    put(source, target, weight)
    put(target, source, weight)
  }
  return { start, other, weights }
}

/** Fills the rings of each island; then, sweep by sweep, turns each ring towards its members' neighbours. */
function placeTasks(members: number[][], islands: Island[], input: LayoutInput): IslandLayout {
  const n = input.environmentOf.length
  const x = new Float32Array(n)
  const y = new Float32Array(n)
  const wished = { angle: new Float64Array(n), voice: new Float32Array(n).fill(QUIET) }
  const rows = neighbourRows(n, input.edges)
  const settle = (environment: number) => {
    const tasks = members[environment]!
    for (let ring = 0, at = 0; at < tasks.length; at += slots(ring), ring++) {
      settleRing(tasks.slice(at, at + slots(ring)), ring * SPACING, islands[environment]!, { x, y, ...wished }, input)
    }
  }
  for (const [environment, tasks] of members.entries()) {
    for (const [rank, task] of tasks.entries()) wished.angle[task] = (rank * GOLDEN) % (2 * Math.PI)
    settle(environment)
  }
  const wish = (task: number, environment: number, island: Island): void => {
    let wx = 0
    let wy = 0
    for (let at = rows.start[task]!; at < rows.start[task + 1]!; at++) {
      const other = rows.other[at]!
      const dx = x[other]! - island.x
      const dy = y[other]! - island.y
      const pull = (input.environmentOf[other] === environment ? INWARD : OUTWARD) * rows.weights[at]!
      const distance = Math.max(1e-6, Math.hypot(dx, dy))
      wx += (pull * dx) / distance
      wy += (pull * dy) / distance
    }
    if (wx === 0 && wy === 0) return
    wished.angle[task] = Math.atan2(wy, wx)
    wished.voice[task] = 1
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const [environment, tasks] of members.entries()) {
      for (const task of tasks) wish(task, environment, islands[environment]!)
      settle(environment)
    }
  }
  return { x, y, islands }
}

/** Spreads one ring evenly, in the order of the angles wished for, turned so that all lie nearest to their wish. */
function settleRing(
  ring: number[],
  radius: number,
  island: Island,
  { x, y, angle, voice }: { x: Float32Array; y: Float32Array; angle: Float64Array; voice: Float32Array },
  { taskKeyHash }: LayoutInput,
): void {
  ring.sort((a, b) => angle[a]! - angle[b]! || taskKeyHash[a]! - taskKeyHash[b]! || a - b)
  const step = (2 * Math.PI) / ring.length
  let cos = 0
  let sin = 0
  for (const [place, task] of ring.entries()) {
    cos += voice[task]! * Math.cos(angle[task]! - place * step)
    sin += voice[task]! * Math.sin(angle[task]! - place * step)
  }
  const turn = Math.atan2(sin, cos)
  for (const [place, task] of ring.entries()) {
    x[task] = island.x + radius * Math.cos(turn + place * step)
    y[task] = island.y + radius * Math.sin(turn + place * step)
  }
}
