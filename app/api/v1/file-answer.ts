/**
 * A file as an answer that is written while it is read: what the reader does not take is not made.
 * A fault on the way breaks the connection, so that half a file is never taken for a whole one.
 */
import { Readable } from 'node:stream'
import type { ExportStream, ExportText } from '@/lib/service/exports/export-run'
import { faultOf, log } from '@/lib/service/logger'

/** Signs a chunk: a chunk a line would be slow. */
const CHUNK = 65_536

export function fileAnswer(file: ExportStream): Response {
  const headers = {
    'content-type': file.type,
    'content-disposition': `attachment; filename="${file.fileName}"`,
    'cache-control': 'no-store',
    // a server in front must not hold it back, nor compress it once more
    'x-accel-buffering': 'no',
  }
  if ('made' in file) {
    const body = Readable.toWeb(file.made.open()) as ReadableStream<Uint8Array>
    return new Response(body, { headers: { ...headers, 'content-length': String(file.made.bytes) } })
  }
  const stream = textStream(file.text)
  return new Response(file.gzip ? stream.pipeThrough(new CompressionStream('gzip')) : stream, { headers })
}

function textStream(text: ExportText['text']): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  // the reader left while a chunk was made: nobody takes it any more
  let left = false
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const lines: string[] = []
        for (let signs = 0; signs < CHUNK; ) {
          const next = await text.next()
          if (left) return
          if (next.done === true) {
            if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')))
            controller.close()
            return
          }
          lines.push(next.value)
          signs += next.value.length
        }
        controller.enqueue(encoder.encode(lines.join('')))
      } catch (cause) {
        if (left) return
        log('error', 'export_failed', faultOf(cause))
        controller.error(cause)
      }
    },
    async cancel() {
      left = true
      await text.return(undefined)
    },
  })
}
