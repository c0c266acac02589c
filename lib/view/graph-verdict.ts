/**
 * The sentence at the top of the graph page, computed from what is shown.
 * Invariant: one sentence, the number in it, true also where there is nothing to say; percentages are whole.
 */
import type { EvidenceView } from '@/lib/contract/evidence'
import type { GraphView } from '@/lib/contract/graph'
import { formatCount, formatFixed } from './format'
import { speaksAgainst } from './graph-evidence'
import { type Focus, reachedRows } from './graph-focus'
import { roundToSum } from './sum-rounding'

/** Names up to this many islands; more are counted. */
const NAMED = 5

function joined(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}

/** How many islands hold the larger half of the predicted variance, and which. */
export function wholeVerdict(graph: GraphView): string {
  const { environments, nodes } = graph
  const total = environments.reduce((sum, island) => sum + island.variance, 0)
  const tasks = formatCount(nodes.id.length, 'task')
  if (total <= 0) return `No island holds predicted variance: all ${tasks} are expected to give equal rewards.`
  if (environments.length === 1) return `One island holds all ${tasks}.`
  const sorted = [...environments].sort((a, b) => b.variance - a.variance)
  let held = 0
  const holders: string[] = []
  for (const island of sorted) {
    if (held > total / 2) break
    held += island.variance
    holders.push(island.code)
  }
  const share = `${formatFixed((100 * held) / total, 0)}\u00a0% of the predicted variance`
  const verb = holders.length === 1 ? 'holds' : 'hold'
  if (holders.length > NAMED) return `${holders.length} of ${environments.length} islands ${verb} ${share}.`
  return `${holders.length} of ${environments.length} islands, ${joined(holders)}, ${verb} ${share}.`
}

/** How few of the circles hold half of the predicted variance. */
export function circlesVerdict(graph: GraphView): string {
  const { environments } = graph
  const total = environments.reduce((sum, island) => sum + island.variance, 0)
  const opening = `${formatCount(graph.total, 'task')} in ${formatCount(environments.length, 'island')}`
  if (environments.length === 1) return `One island holds all ${formatCount(graph.total, 'task')}.`
  if (total <= 0) return `${opening}, and none of them holds predicted variance.`
  const sorted = environments.map(({ variance }) => variance).sort((a, b) => b - a)
  let held = 0
  let holders = 0
  for (const variance of sorted) {
    if (held >= total / 2) break
    held += variance
    holders += 1
  }
  const verb = holders === 1 ? 'holds' : 'hold'
  return `${opening}: ${holders === 1 ? 'one' : formatFixed(holders, 0)} of them ${verb} half of the predicted variance.`
}

/** In predicted variance, where parts take away: "the prior gives 0.187, its own rollouts take 0.073 off". */
function changes({ shares, prediction }: EvidenceView, tried: boolean, neighbours: number): string {
  const parts = [shares.prior, shares.own, shares.within + shares.cross]
  const [prior = 0, own = 0, near = 0] = roundToSum(parts, prediction.predictedVariance, 3)
  const words = (who: string, change: number, many: boolean) => {
    if (change === 0) return `${who} ${many ? 'change' : 'changes'} nothing`
    const size = formatFixed(Math.abs(change), 3)
    return change > 0 ? `${who} ${many ? 'add' : 'adds'} ${size}` : `${who} ${many ? 'take' : 'takes'} ${size} off`
  }
  const said = [`the prior gives ${formatFixed(prior, 3)}`]
  if (tried) said.push(words('its own rollouts', own, true))
  if (neighbours > 0) said.push(words(formatCount(neighbours, 'neighbour'), near, neighbours !== 1))
  return said.join(', ')
}

/** Where the prediction comes from. */
export function evidenceVerdict(evidence: EvidenceView): string {
  const { shares, restTasks, contributions } = evidence
  const whole = evidence.prediction.predictedVariance
  const opening = `${evidence.task.key} is predicted at ${formatFixed(whole, 3)}`
  const neighbours = contributions.filter((one) => one.kind !== 'own').length + restTasks.within + restTasks.cross
  const tried = contributions.some((one) => one.kind === 'own')
  if (!tried && neighbours === 0) return `${opening}, all of it the prior: no rollout speaks of it yet.`
  if (whole <= 0 || speaksAgainst(shares)) return `${opening}: ${changes(evidence, tried, neighbours)}.`
  const percent = (share: number) => `${formatFixed((100 * share) / whole, 0)}\u00a0%`
  const own = tried ? `${percent(shares.own)} from its own rollouts` : 'never tried'
  const near = `${percent(shares.within + shares.cross)} from ${formatCount(neighbours, 'neighbour')}`
  const prior = `${percent(shares.prior)} from the prior`
  if (neighbours === 0) return `${opening}: ${own}, ${prior}.`
  // where evidence is the smaller part, the sentence must not sound as if it were all
  return shares.prior > whole / 2 ? `${opening}: ${own}, ${near}, ${prior}.` : `${opening}: ${own}, ${near}.`
}

/** What lies around the task. */
export function focusVerdict(graph: GraphView, focus: Focus): string {
  const key = graph.nodes.key[focus.task] ?? ''
  const reached = [...focus.first, ...focus.second]
  const hops = formatCount(focus.hops, 'hop')
  if (reached.length === 0) return `No task lies within ${hops} of ${key} at these thresholds.`
  const picked = reached.filter((node) => graph.nodes.picked[node] === true).length
  const islands = formatCount(reachedRows(graph, focus).length, 'environment')
  const verb = reached.length === 1 ? 'lies' : 'lie'
  const opening = `${formatCount(reached.length, 'task')} in ${islands} ${verb} within ${hops} of ${key}`
  if (graph.batch <= 0) return `${opening}.`
  return `${opening}; ${picked === 0 ? 'none' : picked} of them ${picked === 1 ? 'is' : 'are'} in batch ${graph.batch}.`
}
