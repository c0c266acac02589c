/**
 * What did not come in, by reason and place. Owns the counting; the first places of a reason are kept, all are counted.
 */
export interface Skip {
  reason: string
  count: number
  /** the first 200 places: lines, or positions in a list */
  lines: number[]
}

const KEPT_LINES = 200

export class Skips {
  private readonly byReason = new Map<string, Skip>()
  /** rows left out; whole files are not counted */
  rows = 0

  add(reason: string, line: number | null): void {
    const skip = this.byReason.get(reason) ?? { reason, count: 0, lines: [] }
    skip.count += 1
    if (line !== null) this.rows += 1
    if (line !== null && skip.lines.length < KEPT_LINES) skip.lines.push(line)
    this.byReason.set(reason, skip)
  }

  list(): Skip[] {
    return [...this.byReason.values()].sort((a, b) => b.count - a.count)
  }
}
