/**
 * Owns which entries of the history are shown: by state, and by what is searched for.
 * Must never know how they are drawn. Invariant: newest first; the search looks at what a row shows.
 */
import type { Override } from '@/lib/contract/steering'
import { undoState } from './steering-words'

export const HISTORY_STATES = ['all', 'in force', 'ended', 'undone', 'superseded'] as const
export type HistoryState = (typeof HISTORY_STATES)[number]

export function stateOfEntry(entry: Override): Exclude<HistoryState, 'all'> {
  if (entry.superseded) return 'superseded'
  if (entry.inForce) return 'in force'
  return undoState(entry) === 'undone' ? 'undone' : 'ended'
}

const textOf = (entry: Override) =>
  [entry.letter, entry.sentence, entry.author, entry.note ?? '', entry.before, entry.after, `batch ${entry.from}`]
    .join(' ')
    .toLowerCase()

/** Every word of the search must occur. */
export function shownHistory(history: readonly Override[], state: HistoryState, search: string): Override[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  return history
    .filter((entry) => state === 'all' || stateOfEntry(entry) === state)
    .filter((entry) => {
      const text = textOf(entry)
      return words.every((word) => text.includes(word))
    })
    .sort((a, b) => b.number - a.number)
}
