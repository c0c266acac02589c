/**
 * The lines that an import left out, one by one, on disk: file, line, reason and how the row begins.
 * Invariant: at most so many are kept; all are counted in the job. Cursors are places in the file.
 */
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { type SkippedLine, skippedLine } from '@/lib/contract/import-job'
import { looseJson } from '@/lib/contract/loose-json'
import type { List } from '@/lib/contract/page'
import { skippedFile } from './import-folder'

export const MOST_SKIPPED_LINES = 100_000

export class SkippedLog {
  private readonly stream: WriteStream
  kept = 0

  constructor(dataDir: string, id: string) {
    this.stream = createWriteStream(skippedFile(dataDir, id))
    // a full disk ends the import where its rows are written; lines that were left out are the lesser loss
    this.stream.on('error', () => undefined)
  }

  add(line: SkippedLine): void {
    if (this.kept >= MOST_SKIPPED_LINES) return
    this.kept += 1
    this.stream.write(`${JSON.stringify(line)}\n`)
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.stream.once('close', () => resolve())
      this.stream.end()
      if (this.stream.closed) resolve()
    })
  }
}

/** In the order in which they were met; `cursor` is what the answer before gave as `next`. `total` is null: it is in the job. */
export async function readSkippedLines(
  dataDir: string,
  id: string,
  { reason, cursor, limit }: { reason: string | null; cursor: number; limit: number },
): Promise<Omit<List<SkippedLine>, 'total'>> {
  const items: SkippedLine[] = []
  let place = cursor
  let next: string | null = null
  for await (const { text, end } of linesFrom(skippedFile(dataDir, id), cursor)) {
    const line = lineOf(text)
    if (line !== null && (reason === null || line.reason === reason)) {
      if (items.length === limit) {
        next = String(place)
        break
      }
      items.push(line)
    }
    place = end
  }
  return { items, next }
}

/** Null where a made-up cursor points into a line. */
function lineOf(text: string): SkippedLine | null {
  const read = skippedLine.safeParse(looseJson(text))
  return read.success ? read.data : null
}

async function* linesFrom(file: string, start: number): AsyncGenerator<{ text: string; end: number }> {
  const stream = createReadStream(file, { start })
  let open = Buffer.alloc(0)
  let at = start
  try {
    for await (const chunk of stream) {
      let from = 0
      const bytes = Buffer.concat([open, chunk as Buffer])
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
        const text = bytes.toString('utf8', from, end)
        at += end + 1 - from
        from = end + 1
        yield { text, end: at }
      }
      open = bytes.subarray(from)
    }
  } catch (cause) {
    // nothing was left out, or the folder was discarded
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
  } finally {
    stream.destroy()
  }
}
