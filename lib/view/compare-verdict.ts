/* Owns the answer of Compare: did it help, and do we know.
   Invariant: it finds "more" or "fewer", and reward "follows", only where the interval over seeds leaves out zero, as in the
   table; below 3 seeds it says how many there are. */
import type { Comparison } from '@/lib/contract/comparison'
import type { Configuration } from './compare-configurations'
import { commonIndex, differenceAt, MEASURES, meanAt, SPREAD_PLACES } from './compare-measures'
import { placeWords, reachedBy, taskSetsOf } from './compare-words'
import { formatCount, formatFixed, formatNumber } from './format'
import type { VerdictText } from './runs-verdict'
import { type SeedDifference, standing } from './seed-difference'

type Pair = readonly [Configuration, Configuration]

/** "2 seeds", "one pair of seeds", "3 and 2 runs without a shared seed". */
export function seedsWords({ pairs, runs }: SeedDifference): string {
  if (pairs === 1) return 'one pair of seeds'
  if (pairs !== null) return `${formatFixed(pairs, 0)} seeds`
  return `${formatFixed(runs[0], 0)} and ${formatCount(runs[1], 'run')} without a shared seed`
}

function informativeClause(share: SeedDifference, [ours, theirs]: Pair, saySeeds: boolean): string {
  const points = formatFixed(Math.abs(share.value) * 100, Math.abs(share.value) < 0.02 ? 1 : 0)
  const more = share.value > 0 ? 'more' : 'fewer'
  switch (standing(share)) {
    case 'shown': {
      const words = `${ours.name} finds ${points} points ${more} informative groups than ${theirs.name}`
      return share.pairs === 2 && saySeeds ? `${words}, in 2 seeds` : words
    }
    case 'no interval': {
      const seen = Number(points) === 0 ? 'as many' : `${points} points ${more}`
      const where = share.pairs === null ? 'in runs that share no seed' : 'in the one pair of seeds there is'
      return `Not shown yet that ${ours.name} finds more informative groups than ${theirs.name}: ${seen} ${where}`
    }
    default:
      return `Whether ${ours.name} finds more informative groups than ${theirs.name}, ${seedsWords(share)} cannot say`
  }
}

function rewardClause(reward: SeedDifference | null, ahead: boolean): string {
  if (reward === null) return 'Reward on the whole set is not measured in both.'
  const size = MEASURES.reward.writeDifference(Math.abs(reward.value)).replace('+', '')
  if (standing(reward) === 'shown') {
    return `Reward on the whole set is ${size} ${reward.value > 0 ? 'higher' : 'lower'}${reward.pairs === 2 ? ', in 2 seeds' : ''}.`
  }
  const cannot = reward.pairs === null ? 'runs without a shared seed cannot say' : `${seedsWords(reward)} cannot say`
  return `Whether reward ${ahead ? 'follows' : 'differs'}, ${cannot}.`
}

const NUMBER_WORDS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh']

function rewardContext(reward: SeedDifference | null, theirs: Configuration): string {
  if (reward === null) return ''
  const figure = `reward ${MEASURES.reward.writeDifference(reward.value)} over ${theirs.name}`
  const { low, high, pairs, halfWithOneMore } = reward
  if (low === null || high === null) {
    const why =
      pairs === 1
        ? 'One pair of seeds gives no interval; a second pair would.'
        : 'Without a shared seed an interval needs two runs on either side.'
    return `${figure}. ${why}`
  }
  const interval = `95\u00a0% interval ${formatFixed(low, 2, true)} to ${formatFixed(high, 2, true)}`
  const next = NUMBER_WORDS[pairs ?? -1]
  const narrower =
    standing(reward) === 'shown' || halfWithOneMore === null || next === undefined
      ? ''
      : ` A ${next} seed with the same spread would narrow it to ±${formatFixed(halfWithOneMore, 2)}.`
  return `${figure}, ${interval}.${narrower}`
}

function ofOne(comparison: Comparison, only: Configuration, at: number): VerdictText {
  const share = formatNumber('share', meanAt(only, 'informativeShare', at), 'n/a')
  const reward = meanAt(only, 'reward', at)
  const seeds = only.runs.length === 1 ? (only.runs[0]?.name ?? '') : `${only.name}, ${only.runs.length} seeds,`
  return {
    sentence: `${seeds} finds ${share} informative groups; add a run of another configuration to compare it with.`,
    context: `At ${placeWords(comparison.axis, comparison.common ?? 0)}, ${reachedBy(comparison.runs)}: ${reward === null ? 'the reward on the whole set is not measured' : `reward ${MEASURES.reward.write(reward)} on the whole set`}.`,
  }
}

export function compareVerdict(
  comparison: Comparison,
  configurations: readonly Configuration[],
  pair: Pair | null,
): VerdictText {
  const at = commonIndex(comparison)
  const { runs, axis, common } = comparison
  if (runs.length === 0)
    return {
      sentence: 'None of these runs is here any more.',
      context: 'They were deleted, or the address is of another server.',
    }
  if (common === null || at < 0)
    return {
      sentence:
        axis === 'tokens'
          ? 'None of these runs can be drawn over tokens.'
          : `Nothing to compare yet: ${runs.length === 1 ? 'this run has' : 'these runs have'} no whole step.`,
      context: 'A step is whole when every group of it is back or given up.',
    }
  const only = configurations[0]
  if (pair === null)
    return only === undefined ? { sentence: 'Nothing to compare yet.', context: null } : ofOne(comparison, only, at)
  const sets = taskSetsOf([...pair[0].runs, ...pair[1].runs])
  if (sets.length > 1)
    return {
      sentence: `${pair[0].name} and ${pair[1].name} are on different task sets, so neither can be said to do better.`,
      context: `At ${placeWords(axis, common)}, ${reachedBy(runs)}. Their lines are drawn on one axis, their difference is not taken.`,
    }
  const share = differenceAt(pair, 'informativeShare', at)
  const reward = differenceAt(pair, 'reward', at)
  if (share === null) {
    const waits = pair.find((one) => one.runs.every((run) => run.last === null)) ?? pair[1]
    return {
      sentence: `Too early to say: ${waits.name} has no whole step with a trusted group yet.`,
      context: `At ${placeWords(axis, common)}, ${reachedBy(runs)}.`,
    }
  }
  const ahead = standing(share) === 'shown' && share.value > 0
  const said = rewardContext(reward, pair[1])
  const place = `At ${placeWords(axis, common)}, ${reachedBy(runs)}`
  return {
    sentence: `${informativeClause(share, pair, reward === null)}. ${rewardClause(reward, ahead)}`,
    context: said === '' ? `${place}.` : `${place}: ${said}`,
  }
}

/** "25.4 to 30.4" in the measure's unit; words where there is no interval. */
export function intervalWords(difference: SeedDifference | null, scale: number): string {
  if (difference === null) return 'n/a'
  const { low, high } = difference
  if (low === null || high === null) return 'no interval'
  const decimals = scale === 1 ? 2 : 1
  return `${formatFixed(low * scale, decimals, true)} to ${formatFixed(high * scale, decimals, true)}`
}

/** Under a difference: what its band is, or why there is none. */
export function bandWords(difference: SeedDifference | null): string {
  if (difference === null) return ''
  const { pairs, freedom, runs } = difference
  if (freedom === null)
    return pairs === 1
      ? 'One pair of seeds: no interval. A second pair of the same seed would give one.'
      : 'No two of these runs share a seed, and an interval needs two runs on either side.'
  const degrees = Number.isInteger(freedom)
    ? `${formatFixed(freedom, 0)} ${freedom === 1 ? 'degree' : 'degrees'} of freedom`
    : `${formatFixed(freedom, 1)} degrees of freedom`
  return pairs === null
    ? `Band: 95\u00a0% interval of ${formatFixed(runs[0], 0)} and ${formatFixed(runs[1], 0)} runs that share no seed (Welch's t, ${degrees}).`
    : `Band: 95\u00a0% interval over ${formatFixed(pairs, 0)} seeds, paired by seed (t, ${degrees}), the spread of the seeds averaged over ${SPREAD_PLACES} places.`
}
