/**
 * Files that are made whole before they are handed out, since a slow reader must not hold up what they are made of.
 * Owns: where they lie. Invariant: none is left behind: it goes when its reader has it, or has gone.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'

export interface MadeFile {
  bytes: number
  /** once; the file is removed when the stream ends, however it ends */
  open(): Readable
}

const FOLDER = 'exports'

export async function makeFile(dataDir: string, write: (file: string) => Promise<void>): Promise<MadeFile> {
  const folder = path.join(/* turbopackIgnore: true */ dataDir, FOLDER)
  await mkdir(folder, { recursive: true })
  const file = path.join(/* turbopackIgnore: true */ folder, randomUUID())
  try {
    await write(file)
    const { size } = await stat(file)
    return { bytes: size, open: () => readOnce(file) }
  } catch (cause) {
    await rm(file, { force: true })
    throw cause
  }
}

/** What a stopped server left behind. */
export async function dropMadeFiles(dataDir: string): Promise<void> {
  await rm(path.join(/* turbopackIgnore: true */ dataDir, FOLDER), { recursive: true, force: true })
}

function readOnce(file: string): Readable {
  const stream = createReadStream(file)
  stream.once('close', () => void rm(file, { force: true }))
  return stream
}
