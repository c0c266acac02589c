/**
 * Function documents: what a function is for and which parameters it takes, as files list them.
 * Owns: which document belongs to which class of functions. Files do not say it; the tasks do, by the functions
 * that they name for a class, so a document belongs to the class whose functions it holds most of.
 */
import { asRow, asText, type Row } from './untyped'

export interface FunctionDoc {
  name: string
  description: string | null
  parameters: string[]
}

export function functionDoc(row: Row): FunctionDoc | null {
  const name = asText(row.name)
  if (name === null) return null
  const schema = asRow(row.parameters) ?? {}
  return { name, description: asText(row.description), parameters: Object.keys(asRow(schema.properties) ?? schema) }
}

/**
 * `named` holds, by class, the functions that tasks name for it; `documents` one list a file.
 * A class without a document gets the functions that were named, without descriptions.
 */
export function classDocs(
  named: Map<string, Map<string, number>>,
  documents: FunctionDoc[][],
): Map<string, FunctionDoc[]> {
  const result = new Map<string, FunctionDoc[]>()
  for (const [owner, counts] of named) {
    let best: FunctionDoc[] | null = null
    let most = 0
    for (const document of documents) {
      const held = document.reduce((sum, doc) => sum + (counts.get(doc.name) ?? 0), 0)
      if (held > most) {
        most = held
        best = document
      }
    }
    result.set(owner, best ?? [...counts.keys()].map((name) => ({ name, description: null, parameters: [] })))
  }
  return result
}
