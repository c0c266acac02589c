/**
 * Results and scores that lie in files of their own and find each other by model and category: the score lists only failures,
 * so that a result passed which its score does not list. Owns: which file belongs to which; what is known where files are missing
 * or do not fit. Must never know: one benchmark.
 */
import { asCount, asKey, asRow, asText, type Row } from './untyped'

export interface Result {
  id: string
  row: Row
  file: string
  line: number
}

export class ScoredResults {
  readonly results: Result[] = []
  /** failures by task; by row number where a score counts rows */
  private readonly failures = new Map<string, Result>()
  private readonly byPlace = new Map<number, Row>()
  private readonly ids = new Set<string>()
  private total: number | null = null
  private scored = false

  result(row: Row, file: string, line: number): string | null {
    const id = asKey(row.id)
    if (id === null) return 'a result without an id'
    if (this.ids.has(id)) return 'a result whose id stands twice'
    this.ids.add(id)
    this.results.push({ id, row: needed(row), file, line })
    return null
  }

  /** The first line sums up; every other one is a failure. */
  score(row: Row, file: string, line: number): string | null {
    this.scored = true
    if ('total_count' in row && !('valid' in row)) {
      this.total = asCount(row.total_count)
      return null
    }
    const id = asKey(asRow(row.prompt)?.id) ?? asText(row.id)
    if (id !== null) this.failures.set(id, { id, row: needed(row), file, line })
    else if (asCount(row.id) !== null) this.byPlace.set(Number(row.id), needed(row))
    else return 'a failure without an id'
    return null
  }

  /** The failure of a result. `place`: its row, from 1. */
  failureOf({ id }: Result, place: number): Row | null {
    return this.failures.get(id)?.row ?? this.byPlace.get(place) ?? null
  }

  /** Whether what is not listed passed: a score over fewer results than there are leaves that open. */
  get tellsPasses(): boolean {
    return this.scored && (this.total === null || this.total >= this.results.length)
  }

  /** Failures that no result belongs to. */
  leftOver(): Result[] {
    return [...this.failures.values()].filter(({ id }) => !this.ids.has(id))
  }
}

/** What is by far the longest in such rows, and is read by nobody here. */
const LEFT_OUT = new Set([
  'inference_log',
  'model_result_raw',
  'model_result_decoded',
  'possible_answer',
  'model_result',
])

/** Rows are kept until the last file is read. */
function needed(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !LEFT_OUT.has(key)))
}

export interface ScoredPlace {
  model: string
  category: string
}

/** The files of a source, those together that differ only in being results or scores: two runs of a model are two trials. */
export class ScoreBook {
  private readonly books = new Map<string, ScoredPlace & { key: string; of: ScoredResults }>()

  /** `groups`: folders that a result's path may have and its score's not. */
  at(file: string, groups: RegExp, { model, category }: ScoredPlace): { key: string; of: ScoredResults } {
    const key = JSON.stringify([sharedPath(file, groups), model, category])
    const known = this.books.get(key) ?? { model, category, key, of: new ScoredResults() }
    this.books.set(key, known)
    return known
  }

  all(): Iterable<ScoredPlace & { key: string; of: ScoredResults }> {
    return this.books.values()
  }
}

/** The folders of a file, "result" and "score" in them as one word. */
function sharedPath(file: string, groups: RegExp): string {
  const folders = file.split(/[\\/]/).slice(0, -1)
  return folders
    .filter((folder) => !groups.test(folder))
    .map((folder) => folder.replace(/^(?:results?|scores?)(?![a-z])/i, '*'))
    .join('/')
}
