import { describe, expect, it } from 'vitest'
import { islandSides } from '@/lib/view/graph-labels'

const at = { x: 100, y: 100, radius: 40 }

describe('the side of an island that holds its name', () => {
  it('is above, and below only where no other island lies under it', () => {
    expect(islandSides(at, [])).toEqual(['above', 'below'])
    expect(islandSides(at, [{ x: 120, y: 190, radius: 40 }])).toEqual(['above'])
    expect(islandSides(at, [{ x: 120, y: 10, radius: 40 }])).toEqual(['above', 'below'])
    expect(islandSides(at, [{ x: 400, y: 190, radius: 40 }])).toEqual(['above', 'below'])
    expect(islandSides(at, [{ x: 100, y: 400, radius: 40 }])).toEqual(['above', 'below'])
  })
})
