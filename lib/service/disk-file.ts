/** Files on this machine's disk as an import reads them: from the start, or any part. */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { SourceFile } from '@/lib/formats/source-file'

export interface DiskFile {
  /** path inside the source */
  name: string
  /** where it lies */
  path: string
  bytes: number
}

export function sourceOnDisk({ name, path, bytes }: DiskFile): SourceFile {
  return {
    name,
    bytes,
    open: () => createReadStream(path, { highWaterMark: 2 ** 18 }),
    async read(from, to) {
      const file = await open(path)
      try {
        const part = Buffer.alloc(Math.max(0, to - from))
        const { bytesRead } = await file.read(part, 0, part.length, from)
        return part.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
  }
}
