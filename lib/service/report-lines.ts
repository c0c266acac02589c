/**
 * A report as NDJSON of any length, taken in slices while it comes: the memory holds one of them.
 * Invariant: a line that is no JSON, and one that cannot be stored, is refused by its number and loses no other. A body
 * that breaks off is stored up to there; since ids make repeats harmless, the whole is sent again.
 */
import { looseJson } from '@/lib/contract/loose-json'
import type { RolloutsAnswer } from '@/lib/contract/rollout'
import type { BodyLine } from './body-lines'
import { reportRollouts } from './report-rollouts'
import type { Runtime } from './runtime'

const SLICE_ROLLOUTS = 1000
const SLICE_SIGNS = 16 * 1024 * 1024

export async function reportLines(
  runtime: Runtime,
  runId: string,
  lines: AsyncIterable<BodyLine>,
  now: number,
): Promise<RolloutsAnswer> {
  const whole: RolloutsAnswer = { accepted: 0, duplicates: 0, untrusted: {}, rejected: [] }
  let items: unknown[] = []
  let numbers: number[] = []
  let signs = 0
  let before = 0
  const flush = async () => {
    const answer = await reportRollouts(runtime, runId, items, now)
    add(whole, answer, before, numbers)
    before += items.length
    items = []
    numbers = []
    signs = 0
  }
  for await (const { number, text } of lines) {
    items.push(looseJson(text) ?? text)
    numbers.push(number)
    signs += text.length
    if (items.length >= SLICE_ROLLOUTS || signs >= SLICE_SIGNS) await flush()
  }
  // an empty report is one, too: it says whether the run is there
  if (items.length > 0 || before === 0) await flush()
  return whole
}

function add(whole: RolloutsAnswer, answer: RolloutsAnswer, before: number, numbers: readonly number[]): void {
  whole.accepted += answer.accepted
  whole.duplicates += answer.duplicates
  for (const [reason, count] of Object.entries(answer.untrusted))
    whole.untrusted[reason] = (whole.untrusted[reason] ?? 0) + count
  for (const { index, id, reason } of answer.rejected)
    whole.rejected.push({ index: before + index, id, reason: `line ${numbers[index]}: ${reason}` })
  // two-stage groups: what the newest slice says of a lease holds
  if (answer.continue !== undefined) whole.continue = newestOf(whole.continue, answer.continue)
  if (answer.more !== undefined) whole.more = newestOf(whole.more, answer.more)
}

function newestOf<Row extends { lease: string }>(before: readonly Row[] | undefined, rows: readonly Row[]): Row[] {
  return [...new Map([...(before ?? []), ...rows].map((row) => [row.lease, row])).values()]
}
