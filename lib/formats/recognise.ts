/**
 * What a file holds, told from its first rows by the forms of all systems; each value as it is first, opened where no form
 * knows it. Must never know: single systems.
 */

import type { Opened } from './containers/open-file'
import { type Shape, shapesOf, unfolded } from './containers/shape'
import type { FileFacts, Form, System } from './system'
import { SYSTEMS } from './systems'
import { asRow, type Row } from './untyped'

export interface Recognised {
  system: System
  form: Form
  shape: Shape
  first: Row
}

/** Rows that are looked at before a form counts as unknown: a file may begin with lines that are none. */
const FIRST_ROWS = 20

export async function recognise(
  opened: Opened,
  name: string,
  systems: readonly System[] = SYSTEMS,
): Promise<Recognised | 'empty' | 'unknown'> {
  let seen = 0
  for await (const { value } of opened.rows()) {
    const row = asRow(value)
    const known = row === null ? null : recogniseValue(row, { name, columns: opened.columns, outer: null }, systems)
    if (known !== null) return known
    seen += 1
    if (seen === FIRST_ROWS) return 'unknown'
  }
  return seen === 0 ? 'empty' : 'unknown'
}

function recogniseValue(value: Row, facts: FileFacts, systems: readonly System[]): Recognised | null {
  const whole = recogniseRow(value, facts, systems)
  if (whole !== null) return { ...whole, shape: { kind: 'whole' }, first: value }
  for (const shape of shapesOf(value)) {
    const { outer, rows } = unfolded(value, shape)
    for (const item of rows.slice(0, FIRST_ROWS)) {
      const row = asRow(item)
      const known = row === null ? null : recogniseRow(row, { ...facts, outer }, systems)
      if (row !== null && known !== null) return { ...known, shape, first: row }
    }
  }
  return null
}

export function recogniseRow(
  row: Row,
  facts: FileFacts,
  systems: readonly System[] = SYSTEMS,
): { system: System; form: Form } | null {
  for (const system of systems) for (const form of system.forms) if (form.recognise(row, facts)) return { system, form }
  return null
}
