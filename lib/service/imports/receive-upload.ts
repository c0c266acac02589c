/**
 * Files of a form, piece by piece to the disk: nothing of them is held in memory. Must never know: what is in them.
 * Invariant: what cannot be taken whole leaves nothing behind; names become paths inside the source, never on the disk.
 */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import busboy from 'busboy'
import type { DiskFile } from '@/lib/service/disk-file'
import { isDiskFull } from '@/lib/service/disk-full'
import { ServiceError } from '@/lib/service/service-error'
import { uploadFolder } from './import-folder'

export interface Upload {
  folder: string
  files: DiskFile[]
  fields: Record<string, string>
}

const MOST_FILES = 100_000
const MOST_FIELD = 2 ** 20
/** Room that stays free: the database grows by what is read from the files. */
const LEFT_FREE = 128 * 2 ** 20

const badForm = () => new ServiceError(400, 'bad_form', 'Send the files as multipart form data, each as "file".')
export const diskFull = () =>
  new ServiceError(507, 'disk_full', 'The disk of the server is full: free some room, then send the files again.')

/** Throws ServiceError: `bad_form`, `disk_full`, `too_many_files`. */
export async function receiveUpload(dataDir: string, request: Request): Promise<Upload> {
  if (request.body === null) throw badForm()
  const key = randomUUID()
  const folder = await uploadFolder(dataDir, key)
  const upload: Upload = { folder, files: [], fields: {} }
  try {
    const length = Number(request.headers.get('content-length') ?? 0)
    const { bavail, bsize } = await statfs(folder)
    if (length > bavail * bsize - LEFT_FREE) throw diskFull()
    await receive(request, upload)
    return upload
  } catch (cause) {
    await dropUpload(folder)
    if (isDiskFull(cause)) throw diskFull()
    if (cause instanceof ServiceError) throw cause
    throw badForm()
  }
}

/** Files that no import took. */
export async function dropUpload(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}

async function receive(request: Request, { folder, files, fields }: Upload): Promise<void> {
  const writes: Promise<void>[] = []
  let fault: ServiceError | null = null
  const form = busboy({
    headers: Object.fromEntries(request.headers),
    preservePath: true,
    defParamCharset: 'utf8',
    limits: { files: MOST_FILES, fieldSize: MOST_FIELD, fields: 100 },
  })
  form.on('file', (field, stream, { filename }) => {
    if (field !== 'file') {
      stream.resume()
      return
    }
    const file = { name: plainName(filename), path: path.join(folder, `f${files.length}`), bytes: 0 }
    files.push(file)
    stream.on('data', (chunk: Buffer) => {
      file.bytes += chunk.length
    })
    const write = pipeline(stream, createWriteStream(file.path))
    // its fault is heard at the end; until then it must not end the process
    write.catch((cause: unknown) => form.destroy(cause instanceof Error ? cause : new Error(String(cause))))
    writes.push(write)
  })
  form.on('field', (name, value) => {
    if (['name', 'replay', 'mapping'].includes(name)) fields[name] = value
  })
  form.on('filesLimit', () => {
    fault = new ServiceError(413, 'too_many_files', `More than ${MOST_FILES} files came: pack them into a ZIP.`)
  })
  await pipeline(Readable.fromWeb(request.body as WebStream), form)
  await Promise.all(writes)
  if (fault !== null) throw fault
}

/** A path inside the source, without what only disks understand. */
function plainName(given: string | undefined): string {
  const parts = (given ?? '').replaceAll('\\', '/').replaceAll('\0', '').split('/')
  const kept = parts.filter((part) => part !== '' && part !== '.' && part !== '..')
  return kept.join('/').slice(0, 1000) || 'file'
}
