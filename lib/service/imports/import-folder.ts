/**
 * What an import keeps on disk, in a folder of its own under the data folder: its files (sent ones, or where those of this
 * machine lie), how they are read, first rows that wait for a mapping, and the lines that were left out.
 * Invariant: sent files stay until the import is done or discarded, or two weeks; files that were only named are never touched.
 */
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { type ColumnMapping, columnMapping } from '@/lib/contract/column-mapping'
import type { Row } from '@/lib/formats/untyped'
import type { DiskFile } from '@/lib/service/disk-file'

const keptSource = z.object({
  files: z.array(z.object({ name: z.string(), path: z.string(), bytes: z.number() })),
  /** the files were sent, and go with the import */
  sent: z.boolean(),
  mapping: z.union([columnMapping, z.literal('ask')]).nullable(),
})
export type KeptSource = z.infer<typeof keptSource>

const UPLOAD = 'upload-'

export function importsFolder(dataDir: string): string {
  return path.join(/* turbopackIgnore: true */ dataDir, 'imports')
}

export function importFolder(dataDir: string, id: string): string {
  return path.join(/* turbopackIgnore: true */ importsFolder(dataDir), path.basename(id))
}

/** A folder for files that are being sent; nobody's until an import takes it. */
export async function uploadFolder(dataDir: string, key: string): Promise<string> {
  const folder = path.join(/* turbopackIgnore: true */ importsFolder(dataDir), `${UPLOAD}${key}`)
  await mkdir(folder, { recursive: true })
  return folder
}

/** Folders that were being filled when a server stopped. */
export async function dropHalfSent(dataDir: string): Promise<void> {
  const names = await readdir(importsFolder(dataDir)).catch(() => [] as string[])
  for (const name of names)
    if (name.startsWith(UPLOAD)) await rm(path.join(importsFolder(dataDir), name), { recursive: true, force: true })
}

/** The import takes the folder of its sent files as its own, or gets an empty one. */
export async function takeFolder(
  dataDir: string,
  id: string,
  upload: string | null,
  files: readonly DiskFile[],
  mapping: ColumnMapping | 'ask' | null,
): Promise<KeptSource> {
  const folder = importFolder(dataDir, id)
  if (upload === null) await mkdir(folder, { recursive: true })
  else await rename(upload, folder)
  const source: KeptSource = {
    files: files.map((file) => ({
      ...file,
      path:
        upload === null
          ? path.resolve(/* turbopackIgnore: true */ file.path)
          : path.join(folder, path.basename(file.path)),
    })),
    sent: upload !== null,
    mapping,
  }
  await writeSource(dataDir, id, source)
  return source
}

export async function writeSource(dataDir: string, id: string, source: KeptSource): Promise<void> {
  await writeFile(path.join(importFolder(dataDir, id), 'source.json'), JSON.stringify(source))
}

/** Null where nothing is kept, or a file is not as it was. */
export async function readSource(dataDir: string, id: string): Promise<KeptSource | null> {
  const text = await readFile(path.join(importFolder(dataDir, id), 'source.json'), 'utf8').catch(() => null)
  const read = text === null ? null : keptSource.safeParse(jsonOf(text))
  if (read === null || !read.success) return null
  for (const { path: place, bytes } of read.data.files) {
    const found = await stat(/* turbopackIgnore: true */ place).catch(() => null)
    if (found === null || found.size !== bytes) return null
  }
  return read.data
}

/** The files that were sent go; the lines that were left out stay. */
export async function dropFiles(dataDir: string, id: string): Promise<void> {
  const folder = importFolder(dataDir, id)
  const names = await readdir(folder).catch(() => [] as string[])
  for (const name of names) if (name !== SKIPPED) await rm(path.join(folder, name), { recursive: true, force: true })
}

const KEPT_MS = 14 * 86_400_000

/** Files of imports that nobody went on with; the lines that were left out stay. `running`: ids that are not to be touched. */
export async function dropOldFiles(dataDir: string, running: ReadonlySet<string>, now: number): Promise<void> {
  const ids = await readdir(importsFolder(dataDir)).catch(() => [] as string[])
  for (const id of ids) {
    if (running.has(id)) continue
    const source = await stat(path.join(importFolder(dataDir, id), 'source.json')).catch(() => null)
    if (source !== null && now - source.mtimeMs > KEPT_MS) await dropFiles(dataDir, id)
  }
}

export async function dropFolder(dataDir: string, id: string): Promise<void> {
  await rm(importFolder(dataDir, id), { recursive: true, force: true })
}

const SKIPPED = 'skipped.jsonl'
export const skippedFile = (dataDir: string, id: string) => path.join(importFolder(dataDir, id), SKIPPED)
export const scratchFile = (dataDir: string, id: string) => path.join(importFolder(dataDir, id), 'scratch')

const LONGEST_SAMPLE = 4 * 2 ** 20

export async function keepSample(dataDir: string, id: string, rows: readonly Row[]): Promise<void> {
  const kept: string[] = []
  let length = 0
  for (const row of rows) {
    const text = JSON.stringify(row)
    length += text.length
    if (length > LONGEST_SAMPLE && kept.length > 0) break
    kept.push(text)
  }
  await writeFile(path.join(importFolder(dataDir, id), 'sample.json'), `[${kept.join(',')}]`)
}

export async function readSample(dataDir: string, id: string): Promise<Row[]> {
  const place = path.join(importFolder(dataDir, id), 'sample.json')
  if (!existsSync(place)) return []
  const rows = jsonOf(await readFile(place, 'utf8'))
  return Array.isArray(rows) ? (rows as Row[]) : []
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
