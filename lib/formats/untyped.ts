/**
 * Reading values whose type is not known: foreign JSON as it was parsed.
 * Invariant: a wrong type is null, never a made-up value; 0, false and "" are values.
 */
export type Row = Record<string, unknown>

export function asRow(value: unknown): Row | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null
}

export function asList(value: unknown): unknown[] | null {
  return Array.isArray(value) ? value : null
}

/** A text with something in it, or null. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** A key as text: files write the same key as a number or as a text. */
export function asKey(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return asText(value)
}

export function asNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** A count, or null where the file gives a fraction or a negative number. */
export function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null
}

export function asTexts(value: unknown): string[] {
  return (asList(value) ?? []).filter((item): item is string => typeof item === 'string' && item !== '')
}

/** The objects of a list; what is none is left out. */
export function asRows(value: unknown): Row[] {
  return (asList(value) ?? []).map(asRow).filter((row): row is Row => row !== null)
}

/** Whether all of these are there and not null. */
export function has(row: Row, ...keys: string[]): boolean {
  return keys.every((key) => row[key] !== undefined && row[key] !== null)
}
