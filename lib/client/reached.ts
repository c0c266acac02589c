/**
 * The answer of a server action, also where none came: a broken connection or a server that is starting again is a refusal
 * in words like any other. Owns: those words. Invariant: never throws, so that no button waits for ever.
 */
import type { ActionResult } from '@/lib/contract/steering'

export const UNREACHED = 'The server did not answer. Look whether it was done, then try again.'

export async function reached<T>(answer: Promise<ActionResult<T>>): Promise<ActionResult<T>> {
  try {
    return await answer
  } catch {
    return { ok: false, code: 'unreached', message: UNREACHED, issues: [] }
  }
}
