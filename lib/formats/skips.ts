/**
 * What did not come in, by reason and place. Owns the counting; the first places of a reason are kept here, all are told to
 * the one who keeps the lines.
 */
export interface Skip {
  reason: string
  count: number
  /** the file of the first place */
  file: string
  /** how many files it is about */
  files: number
  /** the first 200 places in the first file: lines, or positions in a list */
  lines: number[]
  /** whole files that their format itself does not need; nothing is lost by them */
  needless?: boolean
}

export interface SkippedLine {
  reason: string
  file: string
  /** null where it is the whole file */
  line: number | null
  /** how the row begins; empty where it cannot be shown */
  text: string
  needless?: boolean
}

const KEPT_LINES = 200

export class Skips {
  private readonly byReason = new Map<string, Skip & { seen: Set<string> }>()
  /** rows left out; whole files are not counted */
  rows = 0

  constructor(private readonly onSkip?: (line: SkippedLine) => void) {}

  add(skipped: SkippedLine): void {
    const { reason, file, line, needless } = skipped
    const known = this.byReason.get(reason)
    const skip = known ?? {
      reason,
      count: 0,
      file,
      files: 0,
      lines: [],
      seen: new Set<string>(),
      ...(needless === true ? { needless } : {}),
    }
    if (known === undefined) this.byReason.set(reason, skip)
    skip.count += 1
    skip.seen.add(file)
    skip.files = skip.seen.size
    if (line !== null) this.rows += 1
    if (line !== null && file === skip.file && skip.lines.length < KEPT_LINES) skip.lines.push(line)
    this.onSkip?.(skipped)
  }

  list(): Skip[] {
    return [...this.byReason.values()].sort((a, b) => b.count - a.count).map(({ seen: _, ...skip }) => skip)
  }
}
