/**
 * Owns what a person is told when others steered while a draft was being made: who, what, and whether the draft sets it, too.
 * Invariant: oldest first; nothing of the draft is judged away.
 */
import type { Override, OverrideInput } from '@/lib/contract/steering'
import { changeKey } from './steering-draft'

/** Entries with a number above `seen`, as sentences. */
export function steeredSince(
  history: readonly Override[],
  seen: number,
  draft: readonly OverrideInput[],
): { id: string; sentence: string; both: boolean }[] {
  const mine = new Set(draft.map(changeKey))
  return history
    .filter(({ number }) => number > seen)
    .sort((a, b) => a.number - b.number)
    .map((entry) => {
      const both = mine.has(entry.setting)
      const end = both ? ' Your draft sets it, too: applied, it replaces theirs.' : ''
      return { id: entry.id, both, sentence: `${entry.author} set ${entry.letter}: ${entry.sentence}.${end}` }
    })
}
