/**
 * Task sets of user scenarios (tau2-bench): a simulated user, reference actions, and what is checked.
 * Owns: the environment of such a task (the domain it names, else the folder or file it lies in), and that what the user
 * does is no tool of the policy.
 */
import type { TaskSetDraft } from './task-set-draft'
import { asKey, asRow, asRows, asText, asTexts, type Row } from './untyped'

/** Null when taken, else why not. */
export function addScenarioTask(draft: TaskSetDraft, row: Row, place: string): string | null {
  const key = asKey(row.id)
  if (key === null) return 'a task without an id'
  const scenario = asRow(row.user_scenario) ?? {}
  const instructions = asRow(scenario.instructions)
  const environment = asText(instructions?.domain) ?? place
  const criteria = asRow(row.evaluation_criteria) ?? {}
  const actions = asRows(criteria.actions)
  const tools = actions
    .filter((action) => action.requestor !== 'user')
    .flatMap((action) => nameOf(draft, environment, action))
  const told = asTexts(criteria.reward_basis)
  // what the benchmark takes where a task with criteria tells no basis
  const basis = told.length === 0 && asRow(row.evaluation_criteria) !== null ? ['DB', 'COMMUNICATE'] : told
  const asserts = asRows(criteria.env_assertions).flatMap((item) => asText(item.func_name) ?? [])
  const checks = [...new Set([...basis, ...asserts])]
  const state = [...new Set([...initialState(row), ...records(actions), ...asTexts(row.required_documents)])]
  draft.verifier(environment, basis.length === 0 ? null : [...basis].sort().join('+'), basis)
  draft.state(environment, state)
  const taken = draft.task({ environment, key, text: scenarioText(row, scenario), tools, state, checks, payload: row })
  return taken ? null : `the task key is taken or too long in ${environment}`
}

function nameOf(draft: TaskSetDraft, environment: string, action: Row): string[] {
  const name = asText(action.name)
  if (name === null) return []
  draft.tool(environment, name, null, Object.keys(asRow(action.arguments) ?? {}))
  return [name]
}

function scenarioText(row: Row, scenario: Row): string {
  const instructions = asRow(scenario.instructions)
  const parts = [
    asText(asRow(row.description)?.purpose),
    asText(row.ticket),
    asText(scenario.instructions),
    asText(instructions?.reason_for_call),
    asText(instructions?.task_instructions),
    asText(instructions?.known_info),
  ]
  return parts.filter((part): part is string => part !== null).join('\n')
}

/** What the reference actions name by an id: "reservation_id" is a reservation. */
function records(actions: readonly Row[]): string[] {
  return actions.flatMap((action) =>
    Object.keys(asRow(action.arguments) ?? {}).flatMap((name) => /^(.+)_ids?$/.exec(name)?.[1] ?? []),
  )
}

/** The parts of the world that a task changes before it begins. */
function initialState(row: Row): string[] {
  const initial = asRow(row.initial_state)
  if (initial === null) return []
  const data = Object.values(asRow(initial.initialization_data) ?? {}).flatMap((part) => Object.keys(asRow(part) ?? {}))
  const calls = asRows(initial.initialization_actions).flatMap((item) => asText(item.func_name) ?? [])
  return [...new Set([...data, ...calls])]
}
