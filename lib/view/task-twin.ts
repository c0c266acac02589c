/** Owns the plain tables behind the Task page: evidence, history, picks, groups, neighbours. */
import type { TaskDetail } from '@/lib/contract/task'
import { TERM_ORDER } from './batch-twin'
import { type EvidenceNode, openRows } from './evidence-tree'
import type { TableTwin } from './table-twin'

export function evidenceTwin(nodes: readonly EvidenceNode[], task: string): TableTwin {
  return {
    name: `evidence of ${task}`,
    columns: ['level', 'relation', 'source', 'environment', 'edge', 'rollouts', 'part of the variance', 'per cent'],
    rows: openRows(nodes, () => true).map((node) => [
      node.depth,
      node.source,
      node.label,
      node.task?.environment.key ?? null,
      node.edge,
      node.rollouts,
      node.share,
      node.percent,
    ]),
  }
}

export function historyTwin(task: TaskDetail): TableTwin {
  return {
    name: `predicted and realised variance of ${task.task.key}`,
    columns: ['batch', 'policy', 'predicted variance', 'deviation', 'realised variance'],
    rows: task.history.map((point) => [
      point.batch,
      point.policyVersion,
      point.predictedVariance,
      point.spread,
      point.realisedVariance,
    ]),
  }
}

export function taskPicksTwin(task: TaskDetail): TableTwin {
  return {
    name: `picks of ${task.task.key}`,
    columns: [
      'batch',
      'pick',
      'of',
      'slot',
      'reason',
      ...TERM_ORDER,
      'score',
      'returned',
      'trusted',
      'realised variance',
    ],
    rows: task.picks.map((pick) => [
      pick.batch,
      pick.position,
      pick.size,
      pick.slot,
      pick.reason,
      ...TERM_ORDER.map((term) => pick.terms[term]),
      pick.score,
      pick.result.returned,
      pick.result.trusted,
      pick.result.variance,
    ]),
  }
}

export function groupsTwin(task: TaskDetail): TableTwin {
  return {
    name: `groups of ${task.task.key}`,
    columns: [
      'policy',
      'batch',
      'size',
      'first stage',
      'second stage',
      'returned',
      'trusted',
      'mean',
      'realised variance',
      'turns',
    ],
    rows: task.groups.map(({ policyVersion, batch, result, turns }) => [
      policyVersion,
      batch,
      result.size,
      result.stages?.first ?? null,
      result.stages?.second ?? null,
      result.returned,
      result.trusted,
      result.mean,
      result.variance,
      turns,
    ]),
  }
}

export function neighboursTwin(rows: TaskDetail['neighbours'], task: string, kind: 'within' | 'cross'): TableTwin {
  return {
    name: `${kind} neighbours of ${task}`,
    columns: ['environment', 'task', 'edge', 'shared', 'solved', 'trusted', 'share of the prediction'],
    rows: rows.map((row) => [
      row.task.environment.key,
      row.task.key,
      row.weight,
      row.shared,
      row.solved,
      row.trusted,
      row.share,
    ]),
  }
}
