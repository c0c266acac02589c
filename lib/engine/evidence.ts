/**
 * The exact evidence behind a predicted variance: how much of it each group, task and kind of neighbour holds.
 * Owns: sorting the models' shares by source and kind, listing and cutting. The shares come from evidence-pass.ts.
 * Invariant: own + within + cross + prior = predicted variance; by kind, contributions and rest equal the share.
 */
import type { ContributingGroup, Contribution, Evidence, Shares } from './decision'
import { type EvidencePass, evidencePasses, flowsOf } from './evidence-pass'
import { effectName } from './field-layout'
import { lineOf } from './field-line'
import type { Field } from './field-state'
import { predictMixedTask } from './mixture'
import { type Models, weightsOf } from './models'
import type { OlderSource, TracedGroup } from './trace'

type Kind = Contribution['kind']
const KINDS: readonly Kind[] = ['own', 'within', 'cross']
const MOST_THROUGH = 4

/** Shares of one task's predicted variance, the other task whose groups moved it most, and the one whose groups raise it most. */
export interface EvidenceSummary {
  shares: Shares
  neighbour: { task: number; kind: 'within' | 'cross'; share: number } | null
  supporter: EvidenceSummary['neighbour']
}

/** The model with most weight: traces hold the same groups in all, and this one's observation variances are shown. */
function heaviest(models: Models): Field {
  const weights = weightsOf(models)
  return models.fields[weights.indexOf(weights.reduce((most, weight) => Math.max(most, weight), 0))]!
}

function kindOf(field: Field, task: number, source: number): Kind {
  if (task === source) return 'own'
  const { environmentOf } = field.structure
  return environmentOf[task] === environmentOf[source] ? 'within' : 'cross'
}

/** The source tasks in the order in which they are met, traced groups first, and the place of each group's and merged source's. */
interface Sources {
  tasks: number[]
  ofGroup: Int32Array
  ofOlder: Int32Array
}

function sourcesOf(field: Field): Sources {
  const places = new Map<number, number>()
  const placeOf = (task: number) => {
    const place = places.get(task) ?? places.size
    places.set(task, place)
    return place
  }
  const ofGroup = Int32Array.from(field.trace, ({ task }) => placeOf(task))
  const ofOlder = Int32Array.from(field.older.sources.keys(), placeOf)
  return { tasks: [...places.keys()], ofGroup, ofOlder }
}

/** Share by source, and the rest of merged groups by kind. */
function bySource(
  field: Field,
  task: number,
  pass: EvidencePass,
  { tasks, ofGroup, ofOlder }: Sources,
): { shares: Float64Array; rest: Record<Kind, number> } {
  const shares = new Float64Array(tasks.length)
  for (let g = 0; g < ofGroup.length; g++) shares[ofGroup[g]!]! += pass.groups[g]!
  for (let k = 0; k < ofOlder.length; k++) shares[ofOlder[k]!]! += pass.older[k]!
  const rest = { own: 0, within: 0, cross: 0 }
  const home = field.structure.environmentOf[task]!
  for (const [e, share] of pass.olderRest) rest[e === home ? 'within' : 'cross'] += share
  return { shares, rest }
}

function sharesFrom(
  field: Field,
  task: number,
  { tasks }: Sources,
  { shares: bySources, rest }: ReturnType<typeof bySource>,
  whole: number,
): Shares {
  const shares = { ...rest, prior: 0 }
  for (let k = 0; k < tasks.length; k++) shares[kindOf(field, task, tasks[k]!)] += bySources[k]!
  shares.prior = whole - shares.own - shares.within - shares.cross
  return shares
}

/** The other task whose share is largest by `size`, above 0; of equal ones that with the least key. */
function strongestNeighbour(
  field: Field,
  task: number,
  { tasks }: Sources,
  shares: Float64Array,
  size: (share: number) => number,
): EvidenceSummary['neighbour'] {
  const { taskKeyHash } = field.structure
  let best = -1
  for (let k = 0; k < tasks.length; k++) {
    const share = size(shares[k]!)
    if (!(share > 0) || tasks[k] === task) continue
    const more = best < 0 ? 1 : share - size(shares[best]!)
    if (more > 0 || (more === 0 && taskKeyHash[tasks[k]!]! < taskKeyHash[tasks[best]!]!)) best = k
  }
  if (best < 0) return null
  const source = tasks[best]!
  return {
    task: source,
    kind: kindOf(field, task, source) === 'within' ? 'within' : 'cross',
    share: shares[best]!,
  }
}

/** Shares and strongest neighbour of each of `tasks`: one walk over the trace for all of them. */
export function summariesOf(models: Models, tasks: ArrayLike<number>): EvidenceSummary[] {
  const field = heaviest(models)
  const sources = sourcesOf(field)
  return evidencePasses(models, tasks).map((pass, p) => {
    const task = tasks[p]!
    const found = bySource(field, task, pass, sources)
    return {
      shares: sharesFrom(field, task, sources, found, pass.predictedVariance),
      neighbour: strongestNeighbour(field, task, sources, found.shares, Math.abs),
      supporter: strongestNeighbour(field, task, sources, found.shares, (share) => share),
    }
  })
}

/** Walk variance that a task's logit gathers in one policy version. */
function walkOf(field: Field, task: number): number {
  const { layout } = field
  let sum = layout.walk[layout.taskStart + task]!
  const first = layout.rowStart[task]!
  const { amounts } = lineOf(field, task)
  for (let k = 0; k < amounts.length; k++) sum += amounts[k]! ** 2 * layout.walk[layout.rowIndex[first + k]!]!
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

/** For each of `sources` the names of the shared things that most of its share of `task` went through. */
function throughOf(models: Models, task: number, sources: ReadonlySet<number>): Map<number, string[]> {
  const flows = new Map([...sources].map((source) => [source, new Map<string, number>()]))
  const names = new Map<Field, Map<number, string>>(models.fields.map((field) => [field, new Map()]))
  flowsOf(models, task, sources, (field, source, at, share) => {
    // A source's own deviation is no shared thing.
    if (share === 0 || at >= field.layout.taskStart) return
    const known = names.get(field)!
    const name = known.get(at) ?? effectName(field.structure, field.layout, at)
    known.set(at, name)
    const flow = flows.get(source)!
    flow.set(name, (flow.get(name) ?? 0) + share)
  })
  return new Map(
    [...flows].map(([source, flow]) => {
      const ranked = [...flow].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]) || (a[0] < b[0] ? -1 : 1))
      return [source, ranked.slice(0, MOST_THROUGH).map(([name]) => name)]
    }),
  )
}

function groupsBySource(field: Field, task: number, pass: EvidencePass): Map<number, ContributingGroup[]> {
  const groups = new Map<number, ContributingGroup[]>()
  const push = (source: number, group: ContributingGroup) => {
    const list = groups.get(source)
    if (list === undefined) groups.set(source, [group])
    else list.push(group)
  }
  for (let g = field.trace.length - 1; g >= 0; g--)
    push(field.trace[g]!.task, tracedGroup(field, field.trace[g]!, pass.groups[g]!))
  let at = 0
  for (const [source, older] of field.older.sources) push(source, olderGroup(field, task, older, pass.older[at++]!))
  return groups
}

/** Contributors that are named however small they are. */
const LISTED = 12

/**
 * Evidence of one task for a group of `groupSize`. Contributions of less than `cut` (0 to 1) of all absolute shares go to `rest`,
 * save its own and the LISTED largest: where hundreds of tasks add a little each, the largest still say where it comes from.
 * Groups are listed newest first.
 */
export function evidenceOf(models: Models, task: number, groupSize: number, cut = 0.01): Evidence {
  const field = heaviest(models)
  const { taskKeyHash } = field.structure
  const prediction = predictMixedTask(models, task, groupSize)
  const [pass] = evidencePasses(models, [task])
  const known = sourcesOf(field)
  const found = bySource(field, task, pass!, known)
  const { rest } = found
  const sources = new Map(known.tasks.map((source, k) => [source, found.shares[k]!]))
  const restTasks = { within: 0, cross: 0 }
  const shares = sharesFrom(field, task, known, found, pass!.predictedVariance)
  const groups = groupsBySource(field, task, pass!)
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
  const through = throughOf(models, task, listed)
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
