/**
 * One problem of InterCode: actions, observations and rewards by turn. Owns: that the best turn's reward counts, as its authors
 * count; that the first word of a shell command is the tool.
 */
import type { Message } from './chat'
import { stemOf } from './file-place'
import { partsOf, rewardValue } from './reward-value'
import type { RolloutTaker } from './rollout-taker'
import { asCount, asKey, asList, asRow, asText, type Row } from './untyped'

export function isTurnHistory(row: Row | null): boolean {
  return asList(asRow(row?.turn_history)?.actions) !== null && asRow(row?.summary) !== null
}

/** Null when taken, else why not. */
export function addTurnHistory(taker: RolloutTaker, row: Row, model: string): string | null {
  const environment = asText(row.environment)
  const task = asKey(row.task_id)
  if (environment === null || task === null) return 'a problem without an environment and a task_id'
  const dataset = asText(row.dataset)
  const query = asText(row.query)
  const history = asRow(row.turn_history) ?? {}
  const actions = asList(history.actions) ?? []
  const summary = asRow(row.summary) ?? {}
  const observations = asList(history.observations) ?? []
  const messages = actions.flatMap((action, at): Message[] => [
    { role: 'assistant', content: String(action ?? '') },
    {
      role: 'user',
      content: typeof observations[at] === 'string' ? observations[at] : JSON.stringify(observations[at] ?? ''),
    },
  ])
  const shell = /bash|shell/i.test(environment)
  return taker.take({
    environment: dataset === null ? environment : `${environment}/${stemOf(dataset)}`,
    task,
    about: { text: query ?? undefined },
    model,
    version: null,
    reward: rewardValue(summary.max_reward),
    components: partsOf(asRow(row.info)?.reward),
    messages: query === null ? messages : [{ role: 'user', content: query }, ...messages],
    calls: shell ? actions.flatMap((action) => commandOf(action)) : [],
    turns: asCount(summary.turns_taken),
  })
}

function commandOf(action: unknown) {
  const name = typeof action === 'string' ? /^\s*([\w./-]{1,60})/.exec(action)?.[1] : undefined
  return name === undefined ? [] : [{ name, parameters: [] }]
}
