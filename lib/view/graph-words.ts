/**
 * What the drawing shows, in words: read out in its place, and written under an exported picture.
 * Invariant: every count is of what is shown, beside what there is.
 */
import type { GraphView } from '@/lib/contract/graph'
import { formatCount, formatFixed } from './format'
import type { ShownPairs } from './graph-circles'
import { EDGE_KINDS, type EdgeFilter, type EdgeKind } from './graph-edges'
import { momentWords } from './graph-moment'

export interface ShownWords {
  graph: GraphView
  /** environment indices */
  hidden: ReadonlySet<number>
  filter: EdgeFilter
  /** "3 127 of 6 940", by kind */
  counts: Record<EdgeKind, string>
  /** null where environments are not collapsed */
  lines: ShownPairs | null
}

/** "120 strongest of 3 104 pairs", "12 of 3 104 pairs". */
export function pairWords({ drawn, passing, total }: ShownPairs): string {
  if (passing > drawn.length) return `${drawn.length} strongest of ${formatCount(total, 'pair')}`
  return `${formatFixed(passing, 0)} of ${formatCount(total, 'pair')}`
}

function edgeWords({ filter, counts, lines }: ShownWords): string[] {
  if (lines !== null) {
    if (!filter.cross.on) return ['Cross edges are switched off.']
    return [
      `Cross edges between environments of mean weight ${formatFixed(filter.cross.min, 2)} or more: ${pairWords(lines)}.`,
    ]
  }
  return EDGE_KINDS.map((kind) => {
    const name = kind === 'within' ? 'Within' : 'Cross'
    if (!filter[kind].on) return `${name} edges are switched off.`
    return `${name} edges of weight ${formatFixed(filter[kind].min, 2)} or more: ${counts[kind]}.`
  })
}

function hiddenWords({ graph, hidden }: ShownWords): string {
  if (hidden.size === 0) return ''
  const codes = [...hidden].slice(0, 8).map((i) => graph.environments[i]?.code ?? '')
  const more = hidden.size > codes.length ? ` and ${hidden.size - codes.length} more` : ''
  return `Hidden: ${codes.join(', ')}${more}.`
}

/** Sentences, the verdict first. */
export function captionOf(verdict: string, shown: ShownWords): string[] {
  return [
    verdict,
    momentWords(shown.graph),
    [...edgeWords(shown), hiddenWords(shown)].filter((word) => word !== '').join(' '),
  ]
}

/** In place of the canvas. */
export function graphDescription(verdict: string, shown: ShownWords): string {
  return `${captionOf(verdict, shown).join(' ')} The table holds the same content.`
}
