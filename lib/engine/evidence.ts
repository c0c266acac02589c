/**
 * The exact evidence behind a predicted variance: how much of it each group, task and kind of neighbour holds.
 * Credits on the logit scale come from the backward pass; a credit c becomes the share kappa c, kappa = (v(f) - v(f_prior)) /
 * (f - f_prior) at the posterior deviation (the derivative where the difference is under 1e-9), times the probability of being alive.
 * Invariant: own + within + cross + prior = predicted variance; by kind, contributions and rest equal the share.
 */
import { type Pass, passesOf } from './backward-pass'
import type { ContributingGroup, Contribution, Evidence, Shares } from './decision'
import { effectName } from './field-layout'
import { momentsOf } from './field-moments'
import type { Field } from './field-state'
import { aliveOf, predictTask, varianceAt } from './predict'
import type { OlderSource, TracedGroup } from './trace'

type Kind = Contribution['kind']
const KINDS: readonly Kind[] = ['own', 'within', 'cross']
const NEAR = 1e-9
const STEP = 1e-4
const MOST_THROUGH = 4

/** Shares of one task's predicted variance, and the other task whose groups hold most of it. */
export interface EvidenceSummary {
  shares: Shares
  neighbour: { task: number; kind: 'within' | 'cross'; share: number } | null
}

function kindOf(field: Field, task: number, source: number): Kind {
  if (task === source) return 'own'
  const { environmentOf } = field.structure
  return environmentOf[task] === environmentOf[source] ? 'within' : 'cross'
}

interface Scale {
  kappa: number
  predictedVariance: number
}

function scaleOf(field: Field, task: number): Scale {
  const { mean, variance } = momentsOf(field, task)
  const deviation = Math.sqrt(variance)
  const alive = aliveOf(field, task)
  const at = (f: number) => alive * varianceAt(field, task, f, deviation)
  const prior = field.settings.priorMean
  const here = at(mean)
  if (Math.abs(mean - prior) < NEAR)
    return { kappa: (at(mean + STEP) - at(mean - STEP)) / (2 * STEP), predictedVariance: here }
  return { kappa: (here - at(prior)) / (mean - prior), predictedVariance: here }
}

/** Share by source task, and the rest of merged groups by kind. */
function bySource(
  field: Field,
  task: number,
  pass: Pass,
  kappa: number,
): { sources: Map<number, number>; rest: Record<Kind, number> } {
  const sources = new Map<number, number>()
  const add = (source: number, credit: number) => sources.set(source, (sources.get(source) ?? 0) + kappa * credit)
  field.trace.forEach((group, g) => {
    add(group.task, pass.credits[g]!)
  })
  for (const [source, credit] of pass.older) add(source, credit)
  const rest = { own: 0, within: 0, cross: 0 }
  const home = field.structure.environmentOf[task]!
  for (const [e, credit] of pass.olderRest) rest[e === home ? 'within' : 'cross'] += kappa * credit
  return { sources, rest }
}

function sharesFrom(
  field: Field,
  task: number,
  sources: Map<number, number>,
  rest: Record<Kind, number>,
  whole: number,
): Shares {
  const shares = { ...rest, prior: 0 }
  for (const [source, share] of sources) shares[kindOf(field, task, source)] += share
  shares.prior = whole - shares.own - shares.within - shares.cross
  return shares
}

/** Shares and strongest neighbour of each of `tasks`: one walk over the trace for all of them. */
export function summariesOf(field: Field, tasks: ArrayLike<number>): EvidenceSummary[] {
  const { taskKeyHash } = field.structure
  return passesOf(field, tasks).map((pass, p) => {
    const task = tasks[p]!
    const { kappa, predictedVariance } = scaleOf(field, task)
    const { sources, rest } = bySource(field, task, pass, kappa)
    let neighbour: EvidenceSummary['neighbour'] = null
    for (const [source, share] of sources) {
      const kind = kindOf(field, task, source)
      if (kind === 'own' || share === 0) continue
      const more = neighbour === null ? 1 : Math.abs(share) - Math.abs(neighbour.share)
      const tie = neighbour !== null && more === 0 && taskKeyHash[source]! < taskKeyHash[neighbour.task]!
      if (more > 0 || tie) neighbour = { task: source, kind, share }
    }
    return { shares: sharesFrom(field, task, sources, rest, predictedVariance), neighbour }
  })
}

/** Walk variance that a task's logit gathers in one policy version. */
function walkOf(field: Field, task: number): number {
  const { layout } = field
  let sum = layout.walk[layout.taskStart + task]!
  for (let r = layout.rowStart[task]!; r < layout.rowStart[task + 1]!; r++) {
    sum += layout.rowValue[r]! ** 2 * layout.walk[layout.rowIndex[r]!]!
  }
  return sum
}

function faded(size: number, observation: number, walked: number): number {
  return (size * observation) / (observation + walked)
}

function tracedGroup(field: Field, group: TracedGroup, share: number): ContributingGroup {
  const { policyVersion, trusted: size, mean, variance, lease } = group
  const walked = walkOf(field, group.task) * (field.versions - group.versions)
  return {
    policyVersion,
    size,
    mean,
    variance,
    weight: faded(size, group.observation, walked),
    share,
    lease,
    older: false,
  }
}

function olderGroup(field: Field, task: number, source: OlderSource, share: number): ContributingGroup {
  const { policyVersion, rollouts: size } = source
  const walked = walkOf(field, task) * (field.versions - source.versions)
  const weight = faded(size, source.observation / size, walked)
  return {
    policyVersion,
    size,
    mean: source.reward / size,
    variance: source.variance / size,
    weight,
    share,
    lease: null,
    older: true,
  }
}

/** For each of `sources` the names of the shared things that most of its credit for `task` went through. */
function throughOf(field: Field, task: number, sources: ReadonlySet<number>): Map<number, string[]> {
  const { structure, layout } = field
  const flows = new Map([...sources].map((source) => [source, new Map<number, number>()]))
  const tell = (source: number, at: number, credit: number) => {
    const flow = flows.get(source)!
    if (credit !== 0) flow.set(at, (flow.get(at) ?? 0) + credit)
  }
  passesOf(field, [task], { sources, tell })
  return new Map(
    [...flows].map(([source, flow]) => {
      const byName = new Map<string, number>()
      for (const [at, credit] of flow) {
        const name = effectName(structure, layout, at)
        byName.set(name, (byName.get(name) ?? 0) + credit)
      }
      const ranked = [...byName].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]) || (a[0] < b[0] ? -1 : 1))
      return [source, ranked.slice(0, MOST_THROUGH).map(([name]) => name)]
    }),
  )
}

function groupsBySource(field: Field, task: number, pass: Pass, kappa: number): Map<number, ContributingGroup[]> {
  const groups = new Map<number, ContributingGroup[]>()
  const push = (source: number, group: ContributingGroup) => {
    const list = groups.get(source)
    if (list === undefined) groups.set(source, [group])
    else list.push(group)
  }
  for (let g = field.trace.length - 1; g >= 0; g--)
    push(field.trace[g]!.task, tracedGroup(field, field.trace[g]!, kappa * pass.credits[g]!))
  for (const [source, older] of field.older.sources)
    push(source, olderGroup(field, task, older, kappa * pass.older.get(source)!))
  return groups
}

/** Contributors that are named however small they are. */
const LISTED = 12

/**
 * Evidence of one task for a group of `groupSize`. Contributions of less than `cut` (0 to 1) of all absolute shares go to `rest`,
 * save its own and the LISTED largest: where hundreds of tasks add a little each, the largest still say where it comes from.
 * Groups are listed newest first.
 */
export function evidenceOf(field: Field, task: number, groupSize: number, cut = 0.01): Evidence {
  const { taskKeyHash } = field.structure
  const prediction = predictTask(field, task, groupSize)
  const { kappa, predictedVariance } = scaleOf(field, task)
  const [pass] = passesOf(field, [task])
  const { sources, rest } = bySource(field, task, pass!, kappa)
  const restTasks = { within: 0, cross: 0 }
  const shares = sharesFrom(field, task, sources, rest, predictedVariance)
  const groups = groupsBySource(field, task, pass!, kappa)
  const edges = new Map(field.structure.neighbours(task).map((near) => [near.task, near.weight]))
  const bySize = [...sources].sort(
    ([a, left], [b, right]) => Math.abs(right) - Math.abs(left) || taskKeyHash[a]! - taskKeyHash[b]!,
  )
  // of the absolute shares: where evidence takes away, the prediction is small and everything would be large beside it
  const least = cut * bySize.reduce((sum, [, share]) => sum + Math.abs(share), Math.abs(shares.prior))
  const listed = new Set(
    bySize
      .filter(([source, share], rank) => source === task || rank < LISTED || Math.abs(share) >= least)
      .map(([source]) => source),
  )
  const through = throughOf(field, task, listed)
  const contributions: Contribution[] = []
  for (const [source, share] of sources) {
    const kind = kindOf(field, task, source)
    if (!listed.has(source)) {
      rest[kind] += share
      if (kind !== 'own') restTasks[kind] += 1
      continue
    }
    const list = groups.get(source)!
    contributions.push({
      task: source,
      kind,
      share,
      edge: edges.get(source) ?? null,
      through: through.get(source)!,
      rollouts: list.reduce((sum, group) => sum + group.size, 0),
      groups: list,
    })
  }
  contributions.sort((a, b) => {
    const size = Math.abs(b.share) - Math.abs(a.share)
    if (size !== 0) return size
    const kind = KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind)
    return kind !== 0 ? kind : taskKeyHash[a.task]! - taskKeyHash[b.task]!
  })
  return { task, prediction, shares, contributions, rest, restTasks }
}
