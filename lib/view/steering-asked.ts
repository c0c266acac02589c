/**
 * Owns what becomes of the task a person came for: the link of a suggested change names it, the preview answers.
 * Must never know how the address is read. Invariant: the answer is about the previewed batch; where the change was worked out
 * for another batch, a no says so.
 */
import type { Preview } from '@/lib/contract/steering'

/** The address of a draft that was worked out for `task` in batch `worked`. */
export function askedLink(run: string, draft: string, task: string, worked: number): string {
  return `/runs/${encodeURIComponent(run)}/steering?draft=${draft}&for=${encodeURIComponent(task)}&worked=${worked}`
}

/** The batch number of an address; null where it is none. */
export function workedBatch(text: string | null): number | null {
  const batch = text === null || text === '' ? Number.NaN : Number(text)
  return Number.isInteger(batch) && batch > 0 ? batch : null
}

// "Picked in a recent batch" goes on after a colon, "RET is at its upper quota" keeps its capitals.
const goingOn = (sentence: string) => (/^[A-Z][a-z]/.test(sentence) ? sentence[0]?.toLowerCase() : sentence[0]) ?? ''

/** `key`: the task's name; `worked`: the batch that the change was verified for, null = not known. */
export function askedSentence(preview: Preview, task: string, key: string, worked: number | null): string {
  const { batch } = preview
  const has = (list: readonly { task: { id: string } }[]) => list.some((one) => one.task.id === task)
  if (has(preview.enters)) return `${key} enters batch ${batch} under the draft.`
  if (has(preview.draft.pickList)) return `${key} is in batch ${batch} anyway, with or without the draft.`
  const left = preview.leaves.find((one) => one.task.id === task)
  const reason = left?.reason ?? preview.draft.leftOut.find((one) => one.task.id === task)?.sentence ?? null
  const why = reason === null || reason === '' ? null : `${goingOn(reason)}${reason.slice(1)}`
  const no =
    left === undefined ? `${key} does not enter batch ${batch}` : `${key} leaves batch ${batch} under the draft`
  if (worked === null || worked === batch) return why === null ? `${no} under the draft as it is.` : `${no}: ${why}.`
  const since = why === null ? 'since then scores and picks have moved' : `since then: ${why}`
  return `${no}: the change was worked out for batch ${worked}; ${since}.`
}
