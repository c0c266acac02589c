import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type EvidenceNode, evidenceTrack, evidenceTree, openAtFirst, openRows } from '@/lib/view/evidence-tree'
import { roundToSum } from '@/lib/view/sum-rounding'
import { contribution, evidence } from '@/tests/support/view-fixtures'

const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)

function checkLevel(nodes: readonly EvidenceNode[], whole: { variance: number; percent: number | null }) {
  expect(sum(nodes.map(({ variance }) => variance))).toBeCloseTo(whole.variance, 9)
  if (whole.percent !== null) expect(sum(nodes.map(({ percent }) => percent ?? 0))).toBeCloseTo(whole.percent, 9)
  for (const node of nodes) if (node.children.length > 0) checkLevel(node.children, node)
}

function checkInside(nodes: readonly EvidenceNode[]) {
  for (const node of nodes) {
    for (const child of node.children) {
      expect(child.start).toBeGreaterThanOrEqual(node.start - 1e-9)
      expect(child.start + child.length).toBeLessThanOrEqual(node.start + node.length + 1e-9)
    }
    checkInside(node.children)
  }
}

describe('evidenceTree', () => {
  it('adds up at each level after rounding, and bars of children lie inside their parent', () => {
    const tree = evidenceTree(evidence())
    checkLevel(tree, { variance: 0.214, percent: 100 })
    checkInside(tree)
    expect(tree.map(({ label }) => label)).toEqual([
      'own rollouts',
      'within AIR, 6 tasks',
      'cross, 5 tasks',
      'prior, AIR at this policy',
    ])
  })

  it('says of a parent what its groups add up to', () => {
    const own = evidenceTree(
      evidence({
        contributions: [
          {
            ...contribution('own', 'airline_27', 'AIR', 0.1, [
              [60, '11110000', 0.06, 8],
              [50, '11110000', 0.04, 2.5],
            ]),
            rollouts: 62,
          },
        ],
      }),
    )[0]
    expect(own?.rollouts).toBeCloseTo(sum(own?.children.map(({ rollouts }) => rollouts ?? 0) ?? []), 9)
    expect(own?.rollouts).toBeCloseTo(10.5, 9)
  })

  it('has the rest of a relation as its last row', () => {
    const within = evidenceTree(evidence())[1]
    expect(within?.children.at(-1)).toMatchObject({ label: '2 more', task: null, rollouts: null })
  })

  it('runs backwards for evidence against, on a track that holds it', () => {
    const shares = { own: -0.05, within: 0.1, cross: 0, prior: 0.1 }
    const tree = evidenceTree(
      evidence({
        shares,
        contributions: [
          contribution('own', 'airline_27', 'AIR', -0.05, [[60, '11111111', -0.05, 8]]),
          contribution('within', 'airline_31', 'AIR', 0.1, [[62, '11010010', 0.1, 4]]),
        ],
        rest: { own: 0, within: 0, cross: 0 },
        restTasks: { within: 0, cross: 0 },
      }),
    )
    checkLevel(tree, { variance: 0.15, percent: 100 })
    const track = evidenceTrack(evidence({ shares }))
    expect(track.against).toBe(true)
    expect(track.zero).toBeCloseTo(0.25, 9)
    expect(track.end).toBeCloseTo(1, 9)
    expect(evidenceTrack(evidence())).toMatchObject({ zero: 0, against: false })
    expect(tree[0]).toMatchObject({ variance: -0.05, start: 0 })
    for (const node of tree) {
      expect(node.start).toBeGreaterThanOrEqual(-1e-9)
      expect(node.start + node.length).toBeLessThanOrEqual(1 + 1e-9)
    }
  })

  it('has no per cent of a prediction of 0, and 0 stays a figure', () => {
    const shares = { own: 0, within: 0, cross: 0, prior: 0 }
    const tree = evidenceTree(evidence({ shares, contributions: [], rest: shares, restTasks: { within: 0, cross: 0 } }))
    expect(tree.every(({ percent }) => percent === null)).toBe(true)
    expect(tree.every(({ variance }) => variance === 0)).toBe(true)
    expect(tree[0]?.rollouts).toBe(0)
  })

  it('opens relations and the first task, down to the rollouts', () => {
    const tree = evidenceTree(evidence())
    const open = openAtFirst(tree)
    const rows = openRows(tree, ({ id }) => open.has(id))
    expect(rows.filter(({ depth }) => depth === 2).map(({ label }) => label)).toEqual(['policy 62', 'policy 55'])
    expect(rows.at(-1)?.source).toBe('prior')
  })
})

describe('roundToSum', () => {
  it('adds up to the rounded whole for any parts, and moves none by more than a unit', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }), (parts) => {
        const whole = sum(parts)
        const rounded = roundToSum(parts, whole, 3)
        expect(sum(rounded)).toBeCloseTo(Math.round(whole * 1000) / 1000, 6)
        rounded.forEach((value, i) => {
          expect(Math.abs(value - (parts[i] ?? 0))).toBeLessThanOrEqual(0.001 + 1e-9)
        })
      }),
    )
  })
})
