/** Files of tau2-bench: task sets of user scenarios. */
import { placeOf, stemOf } from '@/lib/formats/file-place'
import { addScenarioTask } from '@/lib/formats/scenario-tasks'
import type { System } from '@/lib/formats/system'
import { asRow, has } from '@/lib/formats/untyped'

const SCENARIO = [
  ['task', 'id'],
  ['environment', 'user_scenario.instructions.domain'],
  ['task text', 'user_scenario.instructions'],
  ['task tools', 'evaluation_criteria.actions'],
  ['checks', 'evaluation_criteria.reward_basis'],
  ['state', 'initial_state'],
] as const

export const tau2Bench: System = {
  key: 'tau2-bench',
  forms: [
    {
      kind: 'tau2-tasks',
      name: 'tau2-bench task set',
      stage: 'tasks',
      recognise: (row) =>
        has(row, 'id') && [row.user_scenario, row.evaluation_criteria].some((one) => asRow(one) !== null),
      fields: () => SCENARIO,
    },
  ],
  begin: ({ draft }) => ({
    open(_kind, { name }) {
      // a domain's folder holds its tasks as tasks.json
      const place = stemOf(name) === 'tasks' ? placeOf(name) : stemOf(name)
      return (row) => addScenarioTask(draft, row, place)
    },
  }),
}
