/* Owns the mark of a relation beside words: within solid blue, cross dashed orange. */
import type { EdgeKind } from '@/lib/view/graph-edges'

export function RelationLine({ kind }: { kind: EdgeKind }) {
  return (
    <svg width="18" height="8" className="flex-none" aria-hidden="true">
      <path
        d="M0 4H18"
        stroke={kind === 'within' ? 'var(--rel-within)' : 'var(--rel-cross)'}
        strokeWidth="2.5"
        strokeDasharray={kind === 'within' ? undefined : '4 3'}
      />
    </svg>
  )
}
