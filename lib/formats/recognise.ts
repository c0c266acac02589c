/**
 * What a file holds, told from its first readable row: never from its name or its source.
 */
import { asList, asRow, type Row } from './untyped'

export const KINDS = ['rollout', 'trial', 'function_task', 'answer', 'function', 'scenario'] as const
export type Kind = (typeof KINDS)[number]

/** The names for people of what was recognised; answers and functions stand beside their tasks. */
export const FORMAT_NAMES: Record<Kind, string> = {
  rollout: 'rollout lines',
  trial: 'tau-bench results',
  function_task: 'function-calling task set',
  answer: 'reference answers',
  function: 'function documents',
  scenario: 'tau2-bench task set',
}

export function recognise(first: unknown): Kind | null {
  const row = asRow(first)
  if (row === null) return null
  if (has(row, 'environment', 'task') && 'reward' in row) return 'rollout'
  if (has(row, 'task_id', 'reward', 'info') && asList(row.traj) !== null) return 'trial'
  if (has(row, 'id', 'question')) return 'function_task'
  if (has(row, 'id', 'ground_truth')) return 'answer'
  if (has(row, 'id') && (asRow(row.user_scenario) !== null || asRow(row.evaluation_criteria) !== null))
    return 'scenario'
  if (has(row, 'name', 'parameters') && !('id' in row)) return 'function'
  return null
}

function has(row: Row, ...keys: string[]): boolean {
  return keys.every((key) => row[key] !== undefined && row[key] !== null)
}

/** BFCL asks in turns of messages, ACEBench in one text. */
export function functionTaskName(first: unknown): string {
  return asList(asRow(first)?.question) === null ? 'ACEBench task set' : 'BFCL task set'
}
