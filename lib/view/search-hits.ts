/* Owns what the search offers and in which order: runs, environments, tasks, pages, actions. Pure. Invariant: a start of a word beats its middle,
   and the query as it stands beats its words apart. */

export interface SearchHit {
  id: string
  kind: 'run' | 'environment' | 'task' | 'page' | 'action'
  text: string
  /** quieter words on the right */
  note: string
  /** where it leads; an action may do something here instead */
  href: string | null
  act?: () => void
}

const ORDER: Record<SearchHit['kind'], number> = { page: 0, action: 1, run: 2, environment: 3, task: 4 }

const NO_MATCH = 4

function rank(text: string, query: string): number {
  const lower = text.toLowerCase()
  const at = lower.indexOf(query)
  if (at < 0) return query.split(/\s+/).every((word) => lower.includes(word)) ? 3 : NO_MATCH
  if (at === 0) return 0
  return /[\s_\-/.]/.test(text[at - 1] ?? '') ? 1 : 2
}

/** The hits that hold the query, best first; pages and runs for an empty query. At most `limit`. */
export function rankHits(hits: readonly SearchHit[], query: string, limit: number): SearchHit[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return hits.filter((hit) => hit.kind === 'page' || hit.kind === 'run').slice(0, limit)
  return hits
    .map((hit) => ({ hit, at: rank(hit.text, wanted) }))
    .filter(({ at }) => at < NO_MATCH)
    .sort((a, b) => a.at - b.at || ORDER[a.hit.kind] - ORDER[b.hit.kind] || a.hit.text.length - b.hit.text.length)
    .slice(0, limit)
    .map(({ hit }) => hit)
}

/** The text cut at the query, for a bold middle. */
export function splitHit(text: string, query: string): [string, string, string] {
  const wanted = query.trim().toLowerCase()
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted)
  if (at < 0) return [text, '', '']
  return [text.slice(0, at), text.slice(at, at + wanted.length), text.slice(at + wanted.length)]
}
