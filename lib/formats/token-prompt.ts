/** The key of a task of which a file holds only token numbers: those before the first that is trained on. */
import { promptKey } from './prompt-key'
import { asList } from './untyped'

/** `masks`: 0, false or -100 where a token is not trained on. Null where there are no tokens. */
export function tokenPromptKey(tokens: unknown, masks: unknown): string | null {
  const all = asList(tokens)
  if (all === null || all.length === 0) return null
  const end = asList(masks)?.findIndex((mask) => mask !== -100 && mask !== 0 && mask !== false) ?? -1
  return promptKey(`tokens ${all.slice(0, end > 0 ? end : all.length).join(' ')}`)
}
