/**
 * Where labels stand so that they do not lie on each other: a greedy choice among the sides of their mark.
 * Must never know canvases: the caller measures the text. Units are px, y grows downwards.
 * Invariant: earlier labels keep their place; one that finds none is dropped unless it is `kept`.
 */
export interface LabelWish {
  /** centre of the mark */
  x: number
  y: number
  /** from the centre to where the text may begin */
  gap: number
  width: number
  height: number
  /** drawn even where it overlaps */
  kept: boolean
  /** sides in the order tried */
  sides: readonly Side[]
}

export type Side = 'right' | 'left' | 'above' | 'below'

/** Tried in turn around a mark: beside it first, then further out, where a thin line leads back. */
const REACHES = [0, 16, 34, 54]

/** How far a name below an island keeps from another island, px: nearer it reads as that one's. */
const APART = 34

/**
 * Sides where an island's name can only be read as its own: above, as everywhere; below where no other island lies under it.
 * `at` and `others`: centres and radii in px.
 */
export function islandSides(
  at: { x: number; y: number; radius: number },
  others: readonly { x: number; y: number; radius: number }[],
): readonly Side[] {
  const under = at.y + at.radius
  const isTaken = others.some(
    ({ x, y, radius }) => y > at.y && y - radius - under < APART && Math.abs(x - at.x) < radius + at.radius + APART,
  )
  return isTaken ? ['above'] : ['above', 'below']
}

/** Left end and middle line of the text. */
export interface LabelPlace {
  index: number
  x: number
  y: number
  /** true where the text stands so far from its mark that a line should lead back */
  led: boolean
}

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

function boxAt({ x, y, gap, width, height }: LabelWish, side: Side, reach: number, slant: number): Box {
  const out = gap + reach
  const across = slant * (gap + reach * 0.8)
  const left = side === 'right' ? x + out : side === 'left' ? x - out - width : x - width / 2 + across
  const middle = side === 'above' ? y - out - height / 2 : side === 'below' ? y + out + height / 2 : y + across
  return { left, top: middle - height / 2, right: left + width, bottom: middle + height / 2 }
}

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return width > 0 && height > 0 ? width * height : 0
}

/** O(k²) for k labels. `bounds`: labels stay inside where a place allows it. `taken`: marks that no text should cover. */
export function placeLabels(
  wishes: readonly LabelWish[],
  bounds: { width: number; height: number },
  taken: readonly Box[] = [],
): LabelPlace[] {
  const boxes: Box[] = [...taken]
  const places: LabelPlace[] = []
  const cost = (box: Box) => {
    const across = Math.max(0, -box.left) + Math.max(0, box.right - bounds.width)
    const along = Math.max(0, -box.top) + Math.max(0, box.bottom - bounds.height)
    return boxes.reduce((sum, other) => sum + overlap(box, other), 40 * (across + along))
  }
  for (const [index, wish] of wishes.entries()) {
    const best = bestPlace(wish, cost)
    if (best === null || (best.cost > 0 && !wish.kept)) continue
    boxes.push(best.box)
    places.push({ index, x: best.box.left, y: (best.box.top + best.box.bottom) / 2, led: best.reach > 0 })
  }
  return places
}

/** The first free place, or the one that covers least. Only kept labels look further out. */
function bestPlace(wish: LabelWish, cost: (box: Box) => number): { box: Box; cost: number; reach: number } | null {
  let best: { box: Box; cost: number; reach: number } | null = null
  for (const reach of wish.kept ? REACHES : [0]) {
    for (const slant of reach === 0 ? [0] : [0, -1, 1]) {
      for (const side of wish.sides) {
        const box = boxAt(wish, side, reach, slant)
        const price = cost(box)
        if (best === null || price < best.cost) best = { box, cost: price, reach }
        if (price === 0) return best
      }
    }
  }
  return best
}
