/** The parts of the world of a function-calling task: what it begins with, and what its verifier compares at the end. */
import { asList, asRow, type Row } from './untyped'

export interface ComparedState {
  /** as the task names the class, whatever the answer writes */
  owner: string
  fields: string[]
}

/** "Class.field" of the state that a task starts from; a scalar or list state is named by its class alone. */
export function initialStates(row: Row): string[] {
  return Object.entries(asRow(row.initial_config) ?? {}).flatMap(([owner, state]) => fieldsOf(owner, state))
}

/** End states by class; a list of them may hold one class an item. Calls are none. */
export function comparedStates(answer: unknown, classes: readonly string[]): ComparedState[] {
  const items = asList(answer) ?? [answer]
  return items.flatMap((item) =>
    Object.entries(asRow(item) ?? {}).flatMap(([name, state]) => {
      const owner = classes.find((one) => stem(one) === stem(name))
      return owner === undefined ? [] : [{ owner, fields: fieldsOf(owner, state) }]
    }),
  )
}

/** Real answers write "ReminderAPI" and "ReminderPI" for "ReminderApi". */
function stem(owner: string): string {
  return owner.toLowerCase().replace(/a?pi$/, '')
}

function fieldsOf(owner: string, state: unknown): string[] {
  const fields = Object.keys(asRow(state) ?? {})
  return fields.length === 0 ? [owner] : fields.map((field) => `${owner}.${field}`)
}
