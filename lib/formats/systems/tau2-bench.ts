/** Files of tau2-bench: task sets of user scenarios, and results of simulations in either layout. */
import { placeOf, stemOf } from '@/lib/formats/file-place'
import { addScenarioTask } from '@/lib/formats/scenario-tasks'
import { SimulationResults } from '@/lib/formats/simulation-results'
import type { Form, System } from '@/lib/formats/system'
import { asKey, asList, asRow, asRows, asText, has, type Row } from '@/lib/formats/untyped'

const SCENARIO = [
  ['task', 'id'],
  ['environment', 'user_scenario.instructions.domain'],
  ['task text', 'user_scenario.instructions'],
  ['task tools', 'evaluation_criteria.actions'],
  ['checks', 'evaluation_criteria.reward_basis'],
  ['state', 'initial_state'],
] as const

const RUN = [
  ['environment', 'info.environment_info.domain_name'],
  ['policy version', 'info.agent_info.llm'],
  ['task', 'tasks'],
  ['reward', 'simulation_index'],
] as const

const SIMULATION = [
  ['environment', '(info.environment_info beside the simulations)'],
  ['policy version', '(info.agent_info beside the simulations)'],
  ['task', 'task_id'],
  ['reward', 'reward_info.reward'],
  ['reward parts', 'reward_info.reward_breakdown'],
  ['status', 'termination_reason'],
  ['messages', 'messages'],
  ['seconds', 'duration'],
] as const

const forms: readonly Form[] = [
  {
    // read before the simulations that lie beside it; an index of theirs alone holds rewards, too
    kind: 'tau2-run',
    name: 'tau2-bench results',
    stage: 'tasks',
    recognise: (row) => isRun(row) && asRows(row.simulations).length === 0,
    fields: () => RUN,
  },
  {
    kind: 'tau2-submission',
    name: 'tau2-bench submission',
    stage: 'documents',
    recognise: (row) => has(row, 'model_name', 'submission_date') && asRow(row.results) !== null,
    fields: () => [],
    fileOnly: 'it holds pass rates, no simulations',
  },
  {
    kind: 'tau2-simulations',
    name: 'tau2-bench results',
    stage: 'rollouts',
    recognise: (row) =>
      'termination_reason' in row &&
      !('trajectories' in row) &&
      [row.messages, row.ticks].some((one) => asList(one) !== null),
    fields: () => SIMULATION,
  },
  {
    kind: 'tau2-tasks',
    name: 'tau2-bench task set',
    stage: 'tasks',
    recognise: (row) =>
      asKey(row.id) !== null && [row.user_scenario, row.evaluation_criteria].some((one) => asRow(one) !== null),
    fields: () => SCENARIO,
  },
]

function isRun(row: Row): boolean {
  return asText(asRow(asRow(row.info)?.environment_info)?.domain_name) !== null && asList(row.tasks) !== null
}

export const tau2Bench: System = {
  key: 'tau2-bench',
  forms,
  begin(intake) {
    const results = new SimulationResults(intake)
    return {
      open(kind, file) {
        if (kind === 'tau2-simulations') return results.open(file)
        if (kind !== 'tau2-tasks')
          return (row) => {
            results.run(row, file.name)
            return null
          }
        // a domain's folder holds its tasks as tasks.json
        const place = stemOf(file.name) === 'tasks' ? placeOf(file.name) : stemOf(file.name)
        return (row) => addScenarioTask(intake.draft, row, place)
      },
      finish: () => results.finish(),
    }
  },
}
