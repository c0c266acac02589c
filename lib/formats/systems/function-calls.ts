/**
 * Task sets for function calling: BFCL (questions as turns of messages) and ACEBench (a question as text), with their
 * reference answers and function documents. Owns: how their rows are told apart; function-tasks.ts joins them.
 */
import { FunctionTasks } from '@/lib/formats/function-tasks'
import type { Form, System } from '@/lib/formats/system'
import { asList, asText, has, type Row } from '@/lib/formats/untyped'

const TASK = [
  ['task', 'id'],
  ['environment', 'involved_classes.0'],
  ['task text', 'question'],
  ['allowed tools', 'function'],
  ['tool paths', 'path'],
  ['state', 'initial_config'],
] as const

const ANSWER = [
  ['task', 'id'],
  ['required tools', 'ground_truth'],
  ['milestones', 'mile_stone'],
] as const

const FUNCTION = [
  ['tool', 'name'],
  ['tool text', 'description'],
  ['parameters', 'parameters'],
] as const

const forms: readonly Form[] = [
  {
    kind: 'bfcl-tasks',
    name: 'BFCL task set',
    stage: 'tasks',
    recognise: (row) => isNamed(row) && asList(row.question) !== null,
    fields: () => TASK,
  },
  {
    kind: 'acebench-tasks',
    name: 'ACEBench task set',
    stage: 'tasks',
    recognise: (row) => isNamed(row) && typeof row.question === 'string',
    fields: () => TASK,
  },
  {
    kind: 'reference-answers',
    name: 'reference answers',
    stage: 'answers',
    recognise: (row) => isNamed(row) && has(row, 'ground_truth'),
    fields: () => ANSWER,
  },
  {
    kind: 'function-documents',
    name: 'function documents',
    stage: 'documents',
    recognise: (row) => has(row, 'name', 'parameters') && !('id' in row),
    fields: () => FUNCTION,
  },
]

/** Columns side by side have lists of ids. */
function isNamed(row: Row): boolean {
  return asText(row.id) !== null
}

export const functionCalls: System = {
  key: 'function-calls',
  forms,
  begin({ draft, skip }) {
    const functions = new FunctionTasks()
    return {
      open(kind, { name }) {
        if (kind === 'reference-answers') return (row) => functions.addAnswer(row, name)
        if (kind !== 'function-documents') return (row, line) => functions.addTask(row, line, name)
        functions.openDocument()
        return (row) => functions.addFunction(row)
      },
      finish() {
        functions.finish(draft, skip)
      },
    }
  },
}
