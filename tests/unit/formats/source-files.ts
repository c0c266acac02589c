/** Files for the readers' tests: from the fixtures, from text, and from a folder of real data where it is there. */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { SourceFile } from '@/lib/formats/source-file'

const fixtures = path.resolve(import.meta.dirname, '../../fixtures/formats')
export const sharedData = path.resolve(import.meta.dirname, '../../../../shared/data')
export const dataMissing = !existsSync(sharedData)
if (dataMissing) console.log('Real data is not there (../shared/data): the tests over it are skipped.')

export const fixture = (name: string) => walk(path.join(fixtures, name))
export const shared = (name: string) => walk(path.join(sharedData, name))

/** The text in pieces of a few bytes, so that every boundary falls somewhere bad. */
export function textFile(name: string, text: string, piece = 7): SourceFile {
  return bytesFile(name, text, piece)
}

export function bytesFile(name: string, content: string | Uint8Array, piece = 1000): SourceFile {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return {
    name,
    bytes: bytes.length,
    read: async (from, to) => bytes.subarray(from, to),
    async *open() {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
    },
  }
}

function walk(place: string, base = path.dirname(place)): SourceFile[] {
  if (statSync(place).isDirectory()) {
    return readdirSync(place)
      .sort()
      .flatMap((name) => walk(path.join(place, name), base))
  }
  return [{ name: path.relative(base, place), open: () => createReadStream(place) }]
}
