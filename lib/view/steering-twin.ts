/** Owns the plain tables behind the Steering page: the preview and the history. */
import type { Override, Preview } from '@/lib/contract/steering'
import { expectedRows, holdsInWords } from './steering-words'
import type { TableTwin } from './table-twin'

export function previewTwin(preview: Preview): TableTwin {
  const row = (move: string, entry: Preview['enters'][number]) => [
    move,
    entry.task.environment.key,
    entry.task.key,
    entry.score,
    entry.reason,
  ]
  return {
    name: `preview of batch ${preview.batch}`,
    columns: ['move', 'environment', 'task', 'score', 'reason'],
    rows: [
      ...preview.enters.map((entry) => row('enters', entry)),
      ...preview.leaves.map((entry) => row('leaves', entry)),
    ],
  }
}

export function byEnvironmentTwin(preview: Preview): TableTwin {
  return {
    name: `picks by environment of batch ${preview.batch}`,
    columns: ['environment', 'current', 'draft', 'difference'],
    rows: preview.byEnvironment.map(({ environment, now, draft }) => [environment.key, now, draft, draft - now]),
  }
}

export function historyTwin(history: readonly Override[]): TableTwin {
  return {
    name: 'steering history',
    columns: [
      'entry',
      'batch',
      'at',
      'who',
      'change',
      'before',
      'after',
      'note',
      'batches',
      'holds',
      'in force',
      'undone by',
      'undoes',
    ],
    rows: history.map((entry) => [
      entry.letter,
      entry.from,
      entry.at,
      entry.author,
      entry.sentence,
      entry.before,
      entry.after,
      entry.note,
      entry.batches,
      holdsInWords(entry),
      entry.inForce,
      entry.undoneBy,
      entry.undoes,
    ]),
  }
}

export function expectedTwin(preview: Preview): TableTwin {
  return {
    name: `expected informative share of batch ${preview.batch}`,
    columns: ['batch', 'share', 'low', 'high', 'informative groups'],
    rows: expectedRows(preview).map(({ name, share, low, high, groups }) => [name, share, low, high, groups]),
  }
}
