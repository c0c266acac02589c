/**
 * Which of the twelve colours an island wears on the graph page.
 * Must never know a theme: a hue is a number, `--env-n` is looked up where it is drawn.
 * Invariants: an environment that has a hue keeps it; those without borrow one that differs from their nearest islands,
 * since place and label name an island and its colour only parts it from its neighbours. Deterministic.
 */
import type { GraphView } from '@/lib/contract/graph'

export const HUES = 12
/** How many of the nearest islands a borrowed hue should differ from. */
const NEAR = 9

type Island = GraphView['environments'][number]

/** One hue, 1 to 12, an environment, in their order. O(E² log E), only where hues are lent. */
export function graphHues(environments: readonly Island[]): number[] {
  const hues = environments.map((island) => island.hue)
  const used = new Array<number>(HUES + 1).fill(0)
  for (const hue of hues) if (hue !== null) used[hue]! += 1
  const waiting = [...hues.keys()].filter((i) => hues[i] === null)
  waiting.sort((a, b) => environments[b]!.tasks - environments[a]!.tasks || a - b)
  for (const i of waiting) {
    const hue = freestHue(i, environments, hues, used)
    hues[i] = hue
    used[hue]! += 1
  }
  return hues.map((hue) => hue ?? 1)
}

/** The hue worn least near island `i`; the nearer, the more it counts. */
function freestHue(i: number, environments: readonly Island[], hues: readonly (number | null)[], used: number[]) {
  const own = environments[i]!
  const near = environments
    .map((other, j) => ({ hue: hues[j] ?? null, gap: Math.hypot(other.x - own.x, other.y - own.y) - other.radius }))
    .filter((other, j) => j !== i && other.hue !== null)
    .sort((a, b) => a.gap - b.gap)
    .slice(0, NEAR)
  const cost = used.map((count) => count * 1e-3)
  near.forEach(({ hue }, rank) => {
    if (hue !== null) cost[hue]! += NEAR - rank
  })
  let best = 1
  for (let hue = 2; hue <= HUES; hue++) if (cost[hue]! < cost[best]!) best = hue
  return best
}
