/**
 * How a form is read: what of a row becomes what here, with the value of a first row as an example.
 * Must never know: files, progress, single forms.
 */
import type { Form } from './system'
import { asList, asRow, type Row } from './untyped'

export interface MappedField {
  /** the word of this product */
  here: string
  /** path in the row, or words in brackets where it does not stand in the row */
  from: string
  /** null where the example row does not hold it */
  example: string | null
}

const LONGEST = 80

/** `row`: one readable row of such a file. */
export function mappingOf(form: Form, row: Row): MappedField[] {
  return form.fields(row).map(([here, from]) => ({
    here,
    from,
    example: from.startsWith('(') ? null : written(at(row, from)),
  }))
}

/** The value at a path such as "info.task.0.name"; undefined where there is none. A whole key with dots in it goes first. */
export function at(row: Row, path: string): unknown {
  if (Object.hasOwn(row, path)) return row[path]
  let value: unknown = row
  for (const part of path.split('.')) {
    const list = asList(value)
    value = list === null ? asRow(value)?.[part] : list[Number(part)]
  }
  return value
}

/** A value in one short line; null where there is nothing to see. */
export function written(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'number') return String(Number(value.toPrecision(6)))
  const list = asList(value)
  const text =
    list === null
      ? typeof value === 'object'
        ? Object.keys(value).slice(0, LONGEST).join(', ')
        : String(value).slice(0, 4 * LONGEST)
      : list.length < LONGEST && list.every((item) => typeof item === 'string')
        ? list.join(', ')
        : `a list of ${String(list.length)}`
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line === '') return null
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`
}
