/** Rollout lines: rows that name their environment, task and reward in the words of this product. The last of all systems. */
import { addRolloutRow } from '@/lib/formats/rollout-rows'
import { versionColumn } from '@/lib/formats/row-version'
import { type Field, type System, unused } from '@/lib/formats/system'
import { has, type Row } from '@/lib/formats/untyped'

const FIELDS: readonly Field[] = [
  ['environment', 'environment'],
  ['task', 'task'],
  ['policy version', 'model'],
  ['task text', 'text'],
  ['reward', 'reward'],
  ['reward parts', 'parts'],
  ['status', 'error'],
  ['tools called', 'tools'],
  ['verifier', 'verifier'],
  ['turns', 'turns'],
  ['tokens', 'tokens'],
  ['seconds', 'seconds'],
  ['messages', 'messages'],
]

/** A version that the row tells goes before its model. */
function fieldsOf(row: Row): readonly Field[] {
  const version = versionColumn(row)
  const fields = FIELDS.flatMap(([here, from]): Field[] =>
    // a file without texts need not hear of them
    (here === 'task text' || here === 'messages') && !(from in row)
      ? 'prompt' in row && here === 'task text'
        ? [[here, 'prompt']]
        : []
      : here !== 'policy version' || version === null
        ? [[here, from]]
        : [[here, version] as const, ...('model' in row ? [['model', from] as const] : [])],
  )
  return [...fields, ...unused(row, fields)]
}

export const plainRollouts: System = {
  key: 'plain-rollouts',
  forms: [
    {
      kind: 'rollout-lines',
      name: 'rollout lines',
      stage: 'rollouts',
      recognise: (row) =>
        has(row, 'environment', 'task') &&
        'reward' in row &&
        typeof row.environment !== 'object' &&
        typeof row.task !== 'object',
      fields: fieldsOf,
    },
  ],
  begin: ({ draft, ladder }) => ({ open: () => (row) => addRolloutRow(draft, ladder, row) }),
}
