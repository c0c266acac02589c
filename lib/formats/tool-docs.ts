/**
 * Tools as they are offered to a policy: OpenAI form {type, function: {name, description, parameters}}, flat, MCP form with
 * input_schema, or a JSON text of such a list. Told to their environment.
 */
import { type FunctionDoc, functionDoc } from './function-docs'
import type { TaskSetDraft } from './task-set-draft'
import { asList, asRow, type Row } from './untyped'

export function toolDocs(value: unknown): FunctionDoc[] {
  const list = asList(parsedText(value)) ?? []
  return list.flatMap((item) => {
    const row = asRow(parsedText(item))
    if (row === null) return []
    const inner = asRow(row.function) ?? row
    return functionDoc({ ...inner, parameters: inner.parameters ?? inner.input_schema }) ?? []
  })
}

export function tellTools(draft: TaskSetDraft, environment: string, tools: unknown): void {
  for (const { name, description, parameters } of toolDocs(tools))
    draft.tool(environment, name, description, parameters)
}

/** What a text holds where it is JSON; anything else as it is. */
export function parsedText(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/** Members of an object that is given as itself or as a JSON text. */
export function rowIn(value: unknown): Row | null {
  return asRow(parsedText(value))
}
