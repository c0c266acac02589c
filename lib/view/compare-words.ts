/* Owns the words of Compare: places of the axis, intervals, warnings. */
import type { CompareAxis, ComparedRun, Comparison } from '@/lib/contract/comparison'
import type { Configuration } from './compare-configurations'
import { formatCount, formatFixed } from './format'

export const AXIS_WORDS: Record<CompareAxis, string> = { steps: 'step', rollouts: 'rollouts', tokens: 'tokens' }

/** A place without its word: "62", "31 744", "1.24 M". */
export function placeFigure(axis: CompareAxis, x: number): string {
  if (axis === 'tokens' && Math.abs(x) >= 1e6) return `${formatFixed(x / 1e6, Math.abs(x) >= 1e8 ? 0 : 2)}\u00a0M`
  return formatFixed(x, 0)
}

/** "step 62", "31 744 rollouts". */
export function placeWords(axis: CompareAxis, x: number): string {
  return axis === 'steps' ? `step ${placeFigure(axis, x)}` : `${placeFigure(axis, x)} ${AXIS_WORDS[axis]}`
}

/** "the last that all 5 runs reached", of those that have a whole step. */
export function reachedBy(runs: readonly ComparedRun[]): string {
  const count = runs.filter((run) => run.last !== null).length
  if (count <= 1) return 'the last one'
  return count === 2 ? 'the last that both runs reached' : `the last that all ${count} runs reached`
}

export interface CompareWarning {
  key: string
  text: string
  /** a run whose history tells more */
  run?: { id: string; name: string }
}

const listed = (names: readonly string[]) =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

export function taskSetsOf(runs: readonly ComparedRun[]): string[] {
  const byId = new Map(runs.map(({ taskSet }) => [taskSet.id, taskSet.name]))
  const names = [...byId.values()]
  // two sets may have one name
  return new Set(names).size === names.length ? names : [...byId].map(([id, name]) => `${name} (${id})`)
}

function steering(configurations: readonly Configuration[]): CompareWarning[] {
  return configurations.flatMap((configuration) =>
    configuration.runs.flatMap((run) => {
      if (run.steered === 0) return []
      const seeds = configuration.runs.some((other) => other.steered !== run.steered)
      const times = run.steered === 1 ? 'once' : `${formatFixed(run.steered, 0)} times`
      const so = seeds
        ? `so the seeds of ${configuration.name} differ in more than the seed`
        : 'so more than its configuration is at work'
      return [{ key: `steered-${run.id}`, text: `${run.name} was steered by hand ${times}, ${so}.`, run }]
    }),
  )
}

/** What a reader must know before trusting a difference. Task sets first. */
export function compareWarnings(comparison: Comparison, configurations: readonly Configuration[]): CompareWarning[] {
  const { runs, axis } = comparison
  const warnings: CompareWarning[] = []
  const sets = taskSetsOf(runs)
  if (sets.length > 1)
    warnings.push({
      key: 'task-sets',
      text: `These runs are on ${sets.length} task sets, ${listed(sets)}: other tasks have other rewards, so no difference is taken between them.`,
    })
  const waiting = runs.filter((run) => run.last === null)
  const noTokens = axis === 'tokens' ? waiting.filter((run) => run.rollouts > 0) : []
  if (noTokens.length > 0)
    warnings.push({
      key: 'tokens',
      text: `${listed(noTokens.map(({ name }) => name))} ${noTokens.length === 1 ? 'reports' : 'report'} no tokens, so ${noTokens.length === 1 ? 'it is' : 'they are'} not on this axis.`,
    })
  const unbegun = waiting.filter((run) => !noTokens.includes(run))
  if (unbegun.length > 0)
    warnings.push({
      key: 'unbegun',
      text: `${listed(unbegun.map(({ name }) => name))} ${unbegun.length === 1 ? 'has' : 'have'} no whole step yet and ${unbegun.length === 1 ? 'joins' : 'join'} with the first.`,
    })
  const blind = runs.filter((run) => run.last !== null && run.series.reward.every((value) => value === null))
  for (const run of blind)
    warnings.push({
      key: `blind-${run.id}`,
      text:
        run.mode === 'shadow'
          ? `${run.name} is in shadow mode: its trainer chooses, so there are no uniform slots to measure the whole set on.`
          : `${run.name} has no uniform slots, so its reward on the whole set is not measured.`,
    })
  return [...warnings, ...steering(configurations)]
}

/** "1 place left". */
export function placesLeft(taken: number, most: number): string {
  return taken >= most ? 'no place left' : `${formatCount(most - taken, 'place')} left`
}
