/**
 * Rollouts brought to one flat shape, a row each: environment, task, model, policy version, reward, turns, tools, verifier, error.
 * Owns: what of such a row is the task's and what the rollout's. Tools that were called are told to the environment, not to
 * the task: which tools a task needs is not known before it was rolled out.
 */
import { calledTools, messagesOf } from './chat'
import { errorStatus } from './error-status'
import { promptText } from './prompt-key'
import type { RolloutLadder } from './rollout-ladder'
import { versionOf } from './row-version'
import type { TaskSetDraft } from './task-set-draft'
import { asCount, asKey, asNumber, asRow, asText, asTexts, type Row } from './untyped'

/** Null when taken, else why not. */
export function addRolloutRow(draft: TaskSetDraft, ladder: RolloutLadder, row: Row): string | null {
  const environment = asKey(row.environment)
  const task = asKey(row.task)
  if (environment === null) return 'a rollout without an environment'
  if (task === null) return 'a rollout without a task'
  const text = asText(row.text) ?? promptText(row.prompt) ?? undefined
  if (!draft.has(environment, task) && !draft.task({ environment, key: task, text, checks: checksOf(row) })) {
    return 'an environment or task key longer than 500 characters'
  }
  const messages = messagesOf(row.messages)
  const tools = row.tools === undefined ? calledTools(messages).map(({ name }) => name) : asTexts(row.tools)
  for (const tool of tools) draft.tool(environment, tool, null, [])
  const verifier = asText(row.verifier)
  if (verifier !== null) draft.verifier(environment, verifier, checksOf(row))
  const error = asText(row.error)
  const status = errorStatus(error)
  const failedOutside = status === 'infra_error' || status === 'verifier_error'
  const model = asKey(row.model) ?? 'model'
  const rollout = {
    environment,
    task,
    // what is written beside a failure of the infrastructure is a placeholder
    reward: failedOutside ? null : rewardOf(row.reward),
    status,
    turns: asCount(row.turns),
    tokens: asCount(row.tokens),
    seconds: positive(row.seconds),
    tools,
    rewardComponents: componentsOf(row.parts),
    ...(messages.length === 0 ? {} : { messages }),
    error: error === null ? null : error.slice(0, 20_000),
  }
  ladder.add(model, rollout, versionOf(row))
  return null
}

/** A number, or a text or truth value that the contract judges; anything else is missing, never 0. */
export function rewardOf(value: unknown): number | string | boolean | null {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : null
}

export function positive(value: unknown): number | null {
  const number = asNumber(value)
  return number !== null && number >= 0 ? number : null
}

function checksOf(row: Row): string[] {
  return (asText(row.verifier) ?? '').split('+').filter((check) => check !== '')
}

export function componentsOf(parts: unknown): { name: string; value: number | null }[] | null {
  const row = asRow(parts)
  return row === null ? null : Object.entries(row).map(([name, value]) => ({ name, value: asNumber(value) }))
}
