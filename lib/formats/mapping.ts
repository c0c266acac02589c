/**
 * How each known form is read: what of a row becomes what here, with the value of a first row as an example.
 * Must never know: files, progress. Invariant: says what the readers of this room do; a test holds it against them.
 */
import type { Kind } from './recognise'
import { versionColumn } from './row-version'
import { asList, asRow, type Row } from './untyped'

export interface MappedField {
  /** the word of this product */
  here: string
  /** path in the row, or words in brackets where it does not stand in the row */
  from: string
  /** null where the example row does not hold it */
  example: string | null
}

const FIELDS: Record<Kind, readonly (readonly [here: string, from: string])[]> = {
  rollout: [
    ['environment', 'environment'],
    ['task', 'task'],
    ['policy version', 'model'],
    ['reward', 'reward'],
    ['reward parts', 'parts'],
    ['status', 'error'],
    ['tools called', 'tools'],
    ['verifier', 'verifier'],
    ['turns', 'turns'],
    ['tokens', 'tokens'],
    ['seconds', 'seconds'],
  ],
  trial: [
    ['environment', 'traj.0.content'],
    ['task', 'task_id'],
    ['task text', 'info.task.instruction'],
    ['task tools', 'info.task.actions.0.name'],
    ['policy version', '(the name of the file)'],
    ['reward', 'reward'],
    ['status', 'info.error'],
    ['messages', 'traj'],
  ],
  function_task: [
    ['task', 'id'],
    ['environment', 'involved_classes.0'],
    ['task text', 'question'],
    ['allowed tools', 'function'],
    ['tool paths', 'path'],
    ['state', 'initial_config'],
  ],
  answer: [
    ['task', 'id'],
    ['required tools', 'ground_truth'],
    ['milestones', 'mile_stone'],
  ],
  function: [
    ['tool', 'name'],
    ['tool text', 'description'],
    ['parameters', 'parameters'],
  ],
  scenario: [
    ['task', 'id'],
    ['environment', 'user_scenario.instructions.domain'],
    ['task text', 'user_scenario.instructions'],
    ['task tools', 'evaluation_criteria.actions'],
    ['checks', 'evaluation_criteria.reward_basis'],
    ['state', 'initial_state'],
  ],
}

const LONGEST = 80

/** stands where a column of the file becomes nothing here */
export const NOT_USED = 'not used'

/** `row`: one readable row of such a file. */
export function mappingOf(kind: Kind, row: Row): MappedField[] {
  const fields = kind === 'rollout' ? rolloutFields(row) : FIELDS[kind]
  return fields.map(([here, from]) => ({
    here,
    from,
    example: from.startsWith('(') ? null : written(at(row, from)),
  }))
}

/** A version that the row tells goes before its model, and columns that nothing reads are named: none is dropped without a word. */
function rolloutFields(row: Row): (readonly [string, string])[] {
  const version = versionColumn(row)
  const fields = FIELDS.rollout.flatMap(([here, from]): (readonly [string, string])[] =>
    here !== 'policy version' || version === null
      ? [[here, from]]
      : [[here, version] as const, ...('model' in row ? [['model', from] as const] : [])],
  )
  const read = new Set(fields.map(([, from]) => from))
  return [...fields, ...Object.keys(row).flatMap((key) => (read.has(key) ? [] : [[NOT_USED, key] as const]))]
}

function at(row: Row, path: string): unknown {
  let value: unknown = row
  for (const part of path.split('.')) {
    const list = asList(value)
    value = list === null ? asRow(value)?.[part] : list[Number(part)]
  }
  return value
}

function written(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'number') return String(Number(value.toPrecision(6)))
  const list = asList(value)
  const text =
    list === null
      ? typeof value === 'object'
        ? Object.keys(value).join(', ')
        : String(value)
      : list.every((item) => typeof item === 'string')
        ? list.join(', ')
        : `a list of ${String(list.length)}`
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line === '') return null
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`
}
