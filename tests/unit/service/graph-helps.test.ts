import { describe, expect, test } from 'vitest'
import { gainOver, graphHelps, type Standing } from '@/lib/service/graph-helps'

/** Standings of batches of 50 rollouts each, from each batch's own losses: [predicted, no structure, placebo]. */
function standings(batches: [number, number, number][], size = 50): Standing[] {
  const sums = [0, 0, 0]
  return batches.map((losses, i) => {
    losses.forEach((loss, k) => {
      sums[k] = (sums[k] ?? 0) + loss * size
    })
    const rollouts = (i + 1) * size
    const mean = (k: number) => (sums[k] ?? 0) / rollouts
    return {
      rollouts,
      predictors: [
        { name: 'no structure', kind: 'model', logLoss: mean(1) },
        { name: 'placebo', kind: 'shadow', logLoss: mean(2) },
        { name: 'all together', kind: 'mixture', logLoss: mean(0) },
      ],
    }
  })
}

const steady = (losses: [number, number, number], batches = 10): Standing[] =>
  standings(Array.from({ length: batches }, () => losses))

describe('the verdict on the graph', () => {
  test('helps where it is ahead of both in every batch', () => {
    const { verdict, sentence, rollouts } = graphHelps(steady([0.5, 0.53, 0.56]))
    expect(verdict).toBe('helps')
    expect(rollouts).toBe(500)
    expect(sentence).toBe(
      'The graph helps here: log loss a rollout 0.500, without structure 0.530, on shuffled structure (placebo) 0.560.',
    )
  })

  test('does not help where either is as good, and says so as plainly', () => {
    expect(graphHelps(steady([0.53, 0.52, 0.56])).sentence).toBe(
      'The graph does not help here: log loss a rollout 0.530, without structure 0.520, on shuffled structure (placebo) 0.560.',
    )
    expect(graphHelps(steady([0.5, 0.53, 0.5])).verdict).toBe('does_not_help')
  })

  test('is not clear where the lead over one may be chance, and names it', () => {
    const batches = Array.from({ length: 10 }, (_, i): [number, number, number] => [
      0.5,
      0.53,
      i % 2 === 0 ? 0.71 : 0.31,
    ])
    const shaky = graphHelps(standings(batches))
    expect(shaky.verdict).toBe('not_clear')
    expect(shaky.sentence).toContain('; the lead over the placebo is within two standard errors.')
    const other = graphHelps(standings(batches.map(([mixed, plain, placebo]) => [mixed, placebo, plain])))
    expect(other.sentence).toContain('the lead over no structure is within')
  })

  test('claims nothing from too few rollouts or batches', () => {
    const early = graphHelps(steady([0.5, 0.6, 0.6], 3))
    expect(early.verdict).toBe('not_yet')
    expect(early.sentence).toBe(
      'Not enough yet to say whether the graph helps: 150 of 200 trusted rollouts are scored.',
    )
    expect(graphHelps([]).sentence).toContain('0 of 200')
    const few = graphHelps(steady([0.5, 0.6, 0.6], 4))
    expect(few.verdict).toBe('not_clear')
    expect(few.sentence).toContain('; under 5 batches do not tell a difference from chance.')
    expect(graphHelps(steady([0.6, 0.5, 0.5], 4)).verdict).toBe('not_clear')
    expect(graphHelps(steady([0.6, 0.5, 0.5], 5)).verdict).toBe('does_not_help')
  })

  test('an engine that was never scored has no gain', () => {
    const nothing: Standing = { rollouts: 0, predictors: [{ name: 'placebo', kind: 'shadow', logLoss: null }] }
    expect(gainOver([nothing], 'placebo')).toBeNull()
  })
})

test('the gain is the difference of the means, its error that of the batches', () => {
  const gains = [0.1, 0.3, 0.2, 0.1, 0.3]
  const gain = gainOver(standings(gains.map((ahead) => [0.5, 0.5 + ahead, 0.9])), 'no structure')
  expect(gain?.value).toBeCloseTo(0.2)
  const variance = gains.reduce((sum, ahead) => sum + (ahead - 0.2) ** 2, 0) / 4
  expect(gain?.standardError).toBeCloseTo(Math.sqrt(variance / 5))
})

test('batches in which nothing came back add no block', () => {
  const all = steady([0.5, 0.6, 0.6], 5)
  const twice = all.flatMap((one) => [one, one])
  expect(gainOver(twice, 'placebo')).toEqual(gainOver(all, 'placebo'))
})
