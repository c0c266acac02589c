/**
 * Tools that a prompt describes in its text, as chat templates write them: `<tools>` with a JSON object a line, each a function with
 * name, description and parameters. What cannot be read is left out.
 */
import { storable } from './fitting'
import { asRow, asText, type Row } from './untyped'

export interface TextTool {
  name: string
  description: string | null
  parameters: string[]
}

export function textTools(text: string): TextTool[] {
  // the sentence before the list names both tags
  const end = text.lastIndexOf('</tools>')
  const begin = end < 0 ? -1 : text.lastIndexOf('<tools>', end)
  if (begin < 0) return []
  const lines = text.slice(begin + '<tools>'.length, end).split('\n')
  return lines.flatMap((line) => toolOf(parsed(line)) ?? [])
}

/** A declared tool, bare or inside `function`. */
export function toolOf(value: Row | null): TextTool | null {
  const inner = asRow(value?.function) ?? value
  const name = asText(inner?.name)
  if (inner === null || name === null) return null
  const schema = asRow(inner.parameters) ?? asRow(inner.input_schema)
  const parameters = Object.keys(asRow(schema?.properties) ?? {})
  return { name: storable(name), description: asText(inner.description), parameters }
}

function parsed(text: string): Row | null {
  try {
    return asRow(JSON.parse(text))
  } catch {
    return null
  }
}
