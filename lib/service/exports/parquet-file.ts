/**
 * Flat rows as a Parquet file, with the columns that a CSV of them has.
 * Owns: the type of each column, which is known only when all rows are: so they are read twice, and never held.
 * Invariant: null stays null; a column of numbers is DOUBLE, of truth values BOOLEAN, every other one text. A column whose kinds are
 * mixed is text. Throws where a row of the second reading does not fit, so that no value is lost without a word.
 */
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import { type Flat, flatten } from './csv'

const ROW_GROUP = 5000

type Kind = 'DOUBLE' | 'BOOLEAN' | 'STRING'

/** Writes `file`; `rows` is called twice and gives the same rows each time. */
export async function writeParquet(file: string, rows: () => AsyncIterable<object>): Promise<void> {
  const columns = await columnsOf(rows())
  const writer = fileWriter(file)
  const parquet = new ParquetWriter({ writer, schema: schemaOf(columns) })
  let slice: Flat[] = []
  const flush = async () => {
    const columnData = [...columns].map(([name, kind]) => ({
      name,
      data: slice.map((row) => cell(name, kind, row[name] ?? null)),
    }))
    if (slice.length > 0) await parquet.write({ columnData, rowGroupSize: ROW_GROUP })
    slice = []
  }
  for await (const row of rows()) {
    slice.push(flatten(row))
    if (slice.length === ROW_GROUP) await flush()
  }
  await flush()
  await parquet.finish()
}

async function columnsOf(rows: AsyncIterable<object>): Promise<Map<string, Kind>> {
  const kinds = new Map<string, Kind | null>()
  for await (const row of rows)
    for (const [name, value] of Object.entries(flatten(row))) {
      const known = kinds.get(name) ?? null
      const kind = kindOf(value)
      kinds.set(name, known === null || kind === null ? (known ?? kind) : known === kind ? kind : 'STRING')
    }
  return new Map([...kinds].map(([name, kind]) => [name, kind ?? 'STRING']))
}

function kindOf(value: Flat[string] | undefined): Kind | null {
  if (value === null || value === undefined) return null
  return typeof value === 'number' ? 'DOUBLE' : typeof value === 'boolean' ? 'BOOLEAN' : 'STRING'
}

function schemaOf(columns: Map<string, Kind>): ConstructorParameters<typeof ParquetWriter>[0]['schema'] {
  const elements = [...columns].map(([name, kind]) =>
    kind === 'STRING'
      ? ({ name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' } as const)
      : ({ name, type: kind, repetition_type: 'OPTIONAL' } as const),
  )
  return [{ name: 'root', num_children: elements.length }, ...elements]
}

function cell(name: string, kind: Kind, value: Flat[string]): Flat[string] | undefined {
  if (value === null) return undefined
  if (kind === 'STRING') return String(value)
  if (kindOf(value) === kind) return value
  throw new Error(`the column "${name}" changed its kind while it was written`)
}
