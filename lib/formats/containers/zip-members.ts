/**
 * A ZIP's members, each a file of its own: stored, deflated or zstd. Names never touch a disk.
 * Invariant: what a member or the list of them claims bounds nothing; unpacking is bounded by unpacked.ts.
 */
import { Readable } from 'node:stream'
import yauzl from 'yauzl'
import type { SourceFile } from '@/lib/formats/source-file'
import { PackedError, type RandomAccess } from './bytes'
import { inflated, zstd } from './unpacked'

const MOST_MEMBERS = 200_000
const STORED = 0
const DEFLATED = 8
const ZSTD = 93

export interface Members {
  files: (SourceFile & { packedBytes: number })[]
  /** members that cannot be opened, with the reason */
  refused: { name: string; reason: string }[]
}

/** Throws PackedError where the list of members is damaged. */
export async function zipMembers(access: RandomAccess, name: string): Promise<Members> {
  const zip = await opened(access)
  const members: Members = { files: [], refused: [] }
  for (const entry of await entriesOf(zip)) {
    const inside = nameOf(entry)
    const last = inside.split('/').at(-1) ?? ''
    if (last === '' || last.startsWith('.') || inside.startsWith('__MACOSX/')) continue
    const file = `${name}/${inside}`
    const { compressionMethod: method, compressedSize } = entry
    if (entry.isEncrypted()) members.refused.push({ name: file, reason: 'it is encrypted' })
    else if (![STORED, DEFLATED, ZSTD].includes(method))
      members.refused.push({ name: file, reason: 'it is packed in a way that is not known' })
    else members.files.push({ name: file, packedBytes: compressedSize, open: () => bytesOf(zip, entry) })
  }
  return members
}

/** Absolute names and ".." are names like others, since nothing is ever written by them; yauzl's own check would refuse the whole file. */
function nameOf({ generalPurposeBitFlag: flag, fileNameRaw, extraFields }: yauzl.Entry): string {
  return yauzl.getFileNameLowLevel(flag, fileNameRaw, extraFields, false).replace(/^\/+/, '')
}

function opened(access: RandomAccess): Promise<yauzl.ZipFile> {
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: false, decodeStrings: false }
  return new Promise((resolve, reject) => {
    yauzl.fromRandomAccessReader(new Reader(access), access.bytes, options, (cause, zip) => {
      if (cause !== null || zip === undefined) reject(new PackedError('it is a damaged ZIP file'))
      else resolve(zip)
    })
  })
}

function entriesOf(zip: yauzl.ZipFile): Promise<yauzl.Entry[]> {
  const entries: yauzl.Entry[] = []
  return new Promise((resolve, reject) => {
    const damaged = () => reject(new PackedError('it is a damaged ZIP file'))
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.push(entry)
      if (entries.length > MOST_MEMBERS) reject(new PackedError(`it holds more than ${MOST_MEMBERS} files`))
      else zip.readEntry()
    })
    zip.once('end', () => resolve(entries))
    zip.once('error', damaged)
    zip.readEntry()
  })
}

async function* bytesOf(zip: yauzl.ZipFile, entry: yauzl.Entry): AsyncGenerator<Uint8Array> {
  const raw = await new Promise<Readable>((resolve, reject) => {
    zip.openReadStream(entry, { decodeFileData: false } as yauzl.ZipFileOptions, (cause, stream) => {
      if (cause !== null || stream === undefined) reject(new PackedError('it is damaged inside its ZIP file'))
      else resolve(stream)
    })
  })
  if (entry.compressionMethod === DEFLATED) yield* inflated(raw, 'raw')
  else if (entry.compressionMethod === ZSTD) yield* zstd(raw)
  else yield* raw
}

const PIECE = 2 ** 18

class Reader extends yauzl.RandomAccessReader {
  constructor(private readonly access: RandomAccess) {
    super()
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const { access } = this
    return Readable.from(
      (async function* () {
        for (let from = start; from < end; from += PIECE) yield await access.read(from, Math.min(end, from + PIECE))
      })(),
      { objectMode: false },
    )
  }
}
