/**
 * A row of a verl dataset as a task. Owns: that an index is only unique in its split, and in some files 0 for every row, where the
 * prompt tells tasks apart; that images are not taken.
 */
import { promptKey, promptText } from './prompt-key'
import type { TaskSetDraft } from './task-set-draft'
import { textTools } from './text-tools'
import { asKey, asRow, asText, type Row } from './untyped'

/** Null when taken, else why not. */
export function addVerlTask(draft: TaskSetDraft, row: Row): string | null {
  const environment = asText(row.data_source)
  if (environment === null) return 'a task without a data_source'
  const prompt = promptKey(row.prompt)
  const text = promptText(row.prompt)
  if (prompt === null || text === null) return 'a task without a prompt'
  const extra = asRow(row.extra_info) ?? {}
  const index = typeof extra.index === 'bigint' ? String(extra.index) : asKey(extra.index)
  const split = asText(extra.split)
  const id = index === null ? prompt : split === null ? index : `${split}/${index}`
  const taken = draft.has(environment, id)
  const key = taken && index !== null ? `${id} ${prompt}` : id
  if (draft.has(environment, key)) return 'a task that is there twice'
  const described = textTools(text)
  for (const tool of described) draft.tool(environment, tool.name, tool.description, tool.parameters)
  const given = Object.keys(asRow(extra.tools_kwargs) ?? {})
  for (const tool of given) draft.tool(environment, tool, null, [])
  const tools = [...new Set([...given, ...described.map(({ name }) => name)])]
  draft.verifier(environment, asText(asRow(row.reward_model)?.style), [])
  const added = draft.task({
    environment,
    key,
    text,
    ...(tools.length === 0 ? {} : { tools }),
    payload: { data_source: environment, ability: asText(row.ability), split, index },
  })
  return added ? null : 'an environment or task key longer than 500 characters'
}
