/**
 * Everything about one task of a run: prediction, control, structure, history, picks, groups, neighbours.
 */
import type { TaskDetail } from '@/lib/contract/task'
import { roleOf } from '@/lib/engine/roles'
import { picksOfTask } from '@/lib/store/batch'
import type { GroupRow } from '@/lib/store/group'
import { tasksByOrdinal } from '@/lib/store/task'
import { type PickRecord, slotOf } from './batch-record'
import { resultView } from './batch-view'
import { type Catalog, environmentOf, taskAt, taskByIdIn } from './catalog'
import { releasedAmong } from './end-leases'
import { median } from './lease-time'
import { withRun } from './open-run'
import { squaresOf } from './read-batches'
import { groupSizeOf, groupsByTask, historyOf, newestBatch } from './run-history'
import type { Runtime } from './runtime'
import { meanOf } from './tally'

const NEIGHBOURS = 12
/** newest picks of a task that its page lists */
const PICKS = 500

export async function readTask(runtime: Runtime, runId: string, id: string): Promise<TaskDetail> {
  const { run, catalog, history, task, evidence, view } = await withRun(runtime, runId, async (opened) => {
    const ordinal = taskByIdIn(opened.catalog, id)
    const known = await historyOf(runtime, opened.run)
    const found = await runtime.engine.evidence(runId, ordinal, groupSizeOf(known))
    const state = await runtime.engine.view(runId)
    return { ...opened, history: known, task: ordinal, evidence: found, view: state }
  })
  const byTask = groupsByTask(history)
  const groups = [...(byTask.get(task) ?? [])].sort((a, b) => a.number - b.number)
  const left = [...history.superseded.groups.values()].filter((group) => group.task === task)
  const squares = await squaresOf(runtime, runId, catalog, [...groups, ...left])
  const [stored] = await tasksByOrdinal<unknown>(runtime.database.db, run.taskSetId, [task])
  const picks = await picksOfTask<PickRecord>(runtime.database.db, runId, task, PICKS)
  const sizeOf = new Map([...history.batches, ...history.superseded.batches].map((batch) => [batch.index, batch]))
  const ownSize = new Map(picks.map(({ lease, record }) => [lease, record.groupSize]))
  const released = await releasedAmong(runtime, runId, groups)
  const result = (group: GroupRow | undefined, size: number) =>
    resultView(group, size, squares.get(group?.number ?? -1) ?? [], released)
  return {
    task: taskAt(catalog, task),
    text: catalog.set.tasks[task]?.text ?? null,
    payload: stored?.payload ?? null,
    batch: newestBatch(history),
    prediction: { ...evidence.prediction, shares: evidence.shares },
    control: {
      banned: view.tasks.banned[task] === 1,
      pinned: view.tasks.pinned[task] === 1,
      boost: view.tasks.boost[task] ?? 1,
      leased: (view.tasks.leased[task] ?? 0) > 0,
      waiting: waitingOf(view.tasks.waiting[task]),
    },
    structure: structureOf(catalog, task, groups, view.ranges[environmentOf(catalog, task)] ?? [0, 1]),
    history: groups
      .filter((group) => group.state === 'absorbed' && group.predictedVariance !== null)
      .map((group) => ({
        batch: group.batch ?? 0,
        policyVersion: group.policyVersion,
        predictedVariance: group.predictedVariance,
        spread: group.spread,
        realisedVariance: group.realisedVariance,
      })),
    picks: picks
      .map(({ batch, position, slot, lease, record }) => {
        const made = sizeOf.get(batch)
        const superseded = made?.superseded === true
        const group = (superseded ? left : groups).find((one) => one.lease === lease && !one.late)
        return {
          batch,
          position: position + 1,
          size: made?.size ?? 0,
          slot: slotOf(slot),
          more: group !== undefined && group.boughtBy !== null,
          reason: record.reason,
          score: record.score,
          terms: record.terms,
          superseded,
          result: result(group, record.groupSize ?? made?.groupSize ?? group?.returned ?? 0),
        }
      })
      .sort((a, b) => b.batch - a.batch),
    groups: groups
      .map((group) => ({
        policyVersion: group.policyVersion,
        batch: group.batch,
        result: result(
          group,
          ownSize.get(group.lease ?? -1) ?? sizeOf.get(group.batch ?? -1)?.groupSize ?? group.returned,
        ),
        turns: group.turnsCount > 0 ? group.turnsSum / group.turnsCount : null,
      }))
      .reverse(),
    neighbours: neighboursOf(catalog, task, byTask, evidence),
  }
}

/** Batches until it is free again; the engine's 0 says that it does not wait. */
const waitingOf = (batches: number | undefined) => (batches === undefined || batches === 0 ? null : batches)

function structureOf(
  catalog: Catalog,
  task: number,
  groups: readonly GroupRow[],
  rewardRange: readonly [number, number],
): TaskDetail['structure'] {
  const row = catalog.set.tasks[task]
  const ordinal = environmentOf(catalog, task)
  const environment = catalog.set.environments[ordinal]
  const pattern = catalog.pattern[task]
  const alike = catalog.pattern.flatMap((other, index) => (other === pattern ? [index] : []))
  const names = [...new Set(row?.tools ?? [])]
  return {
    pattern: catalog.patternNames[pattern ?? 0] ?? '',
    patternTasks: alike.length,
    patternEnvironments: new Set(alike.map((other) => environmentOf(catalog, other))).size,
    tools: names.map((name) => {
      const tool = environment?.tools.find((one) => one.name === name) ?? {
        name,
        role: null,
        description: null,
        parameters: [],
      }
      const alsoIn = catalog.environments.filter(
        (_, other) =>
          other !== ordinal && catalog.set.environments[other]?.tools.some((one) => one.name === name) === true,
      )
      return { name, role: roleOf(tool), alsoIn }
    }),
    environmentTools: environment?.tools.length ?? 0,
    state: row?.state ?? [],
    environmentState: environment?.state.length ?? 0,
    checks: row?.checks ?? [],
    verifier: environment?.verifier.kind ?? null,
    rewardRange: [rewardRange[0], rewardRange[1]],
    turns: median(groups.flatMap((group) => (group.turnsCount > 0 ? [group.turnsSum / group.turnsCount] : []))),
    tokens: median(groups.flatMap((group) => (group.tokensCount > 0 ? [group.tokensSum / group.tokensCount] : []))),
    seconds: median(groups.flatMap((group) => (group.secondsCount > 0 ? [group.secondsSum / group.secondsCount] : []))),
    rollouts: groups.reduce((sum, group) => sum + group.returned, 0),
  }
}

function neighboursOf(
  catalog: Catalog,
  task: number,
  byTask: ReadonlyMap<number, GroupRow[]>,
  evidence: {
    contributions: { task: number; kind: string; share: number }[]
    prediction: { predictedVariance: number }
  },
): TaskDetail['neighbours'] {
  const edges = (catalog.edgesOf[task] ?? []).flatMap((position) => catalog.edges[position] ?? [])
  const total = evidence.prediction.predictedVariance
  return ['within', 'cross'].flatMap((kind) =>
    edges
      .filter((edge) => edge.kind === kind)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, NEIGHBOURS)
      .map((edge) => {
        const other = edge.source === task ? edge.target : edge.source
        const known = (byTask.get(other) ?? []).filter((group) => group.trusted > 0)
        const share = evidence.contributions.find((one) => one.task === other)?.share ?? null
        return {
          task: taskAt(catalog, other),
          kind: edge.kind,
          weight: edge.weight,
          shared: sharedWords(catalog, task, other),
          solved: meanOf(known, (group) => group.mean),
          trusted: known.reduce((sum, group) => sum + group.trusted, 0),
          share: share === null || total <= 0 ? null : share / total,
        }
      }),
  )
}

/** "Same 3 tools, 2 of its 4 checks": what two tasks have in common, in words. */
function sharedWords(catalog: Catalog, task: number, other: number): string {
  const a = catalog.set.tasks[task]
  const b = catalog.set.tasks[other]
  if (a === undefined || b === undefined) return ''
  const common = (left: readonly string[], right: readonly string[]) =>
    [...new Set(left)].filter((name) => right.includes(name))
  const tools = common(a.tools, b.tools)
  const checks = common(a.checks, b.checks)
  const state = common(a.state, b.state)
  const words: string[] = []
  if (catalog.pattern[task] === catalog.pattern[other])
    words.push(`pattern ${catalog.patternNames[catalog.pattern[task] ?? 0] ?? ''}`)
  if (tools.length > 0) words.push(tools.length <= 2 ? tools.join(', ') : `${tools.length} tools`)
  if (checks.length > 0) words.push(`${checks.length} ${checks.length === 1 ? 'check' : 'checks'}`)
  if (state.length > 0) words.push(`${state.length} state ${state.length === 1 ? 'key' : 'keys'}`)
  return words.length === 0 ? 'Alike roles or text' : words.join('; ')
}
