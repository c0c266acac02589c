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

/** Left end and middle line of the text. */
export interface LabelPlace {
  index: number
  x: number
  y: number
}

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

function boxAt({ x, y, gap, width, height }: LabelWish, side: Side): Box {
  const left = side === 'right' ? x + gap : side === 'left' ? x - gap - width : x - width / 2
  const middle = side === 'above' ? y - gap - height / 2 : side === 'below' ? y + gap + height / 2 : y
  return { left, top: middle - height / 2, right: left + width, bottom: middle + height / 2 }
}

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left)
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
  return width > 0 && height > 0 ? width * height : 0
}

/** O(k²) for k labels. `bounds`: labels stay inside where a side allows it. */
export function placeLabels(wishes: readonly LabelWish[], bounds: { width: number; height: number }): LabelPlace[] {
  const taken: Box[] = []
  const places: LabelPlace[] = []
  const cost = (box: Box) => {
    const outside =
      Math.max(0, -box.left) + Math.max(0, box.right - bounds.width) + Math.max(0, -box.top, box.bottom - bounds.height)
    return taken.reduce((sum, other) => sum + overlap(box, other), outside * 40)
  }
  for (const [index, wish] of wishes.entries()) {
    let best: { box: Box; cost: number } | null = null
    for (const side of wish.sides) {
      const box = boxAt(wish, side)
      const price = cost(box)
      if (best === null || price < best.cost) best = { box, cost: price }
      if (price === 0) break
    }
    if (best === null || (best.cost > 0 && !wish.kept)) continue
    taken.push(best.box)
    places.push({ index, x: best.box.left, y: (best.box.top + best.box.bottom) / 2 })
  }
  return places
}
