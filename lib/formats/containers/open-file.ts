/**
 * A file's rows, whatever it is packed in: told by its content. Must never know: what rows mean.
 * Invariant: one bad row never loses the others, and a file that breaks off keeps what came before; each is told with its place.
 */
import type { SourceFile } from '@/lib/formats/source-file'
import { beginningOf, counted, PackedError, randomAccess } from './bytes'
import { csvRows, delimiterOf } from './csv-rows'
import { type JsonRow, jsonTextRows } from './json-rows'
import { parquetTable } from './parquet-rows'
import { textOf } from './text'
import { unpacked } from './unpacked'
import { isYamlList, yamlRows } from './yaml-rows'
import { zipMembers } from './zip-members'

export interface Opened {
  /** of a table; null for other files */
  columns: string[] | null
  /** each call begins anew; `onBytes` hears lengths as on disk */
  rows(onBytes?: (length: number) => void): AsyncIterable<JsonRow>
}

/** A file that stands for itself: the members of a ZIP stand for it. */
export interface PlainFile extends SourceFile {
  /** of a member of a ZIP: its length there */
  packedBytes?: number
}

const SNIFFED = 2 ** 16
const DEEPEST_ZIP = 2

const LFS = 'it is a pointer of Git LFS: fetch the file itself'

/** The files with those that lie in ZIPs in their place. `refuse` hears of what cannot be opened. */
export async function plainFiles(
  files: readonly SourceFile[],
  refuse: (name: string, reason: string) => void,
  depth = 0,
): Promise<PlainFile[]> {
  const plain: PlainFile[] = []
  for (const file of files) {
    if (!isZip(await firstBytes(file, 4))) plain.push(file)
    else if (depth === DEEPEST_ZIP) refuse(file.name, 'it is a ZIP in a ZIP in a ZIP')
    else {
      try {
        const { files: members, refused } = await zipMembers(await randomAccess(file), file.name)
        for (const { name, reason } of refused) refuse(name, reason)
        plain.push(...(await plainFiles(members, refuse, depth + 1)))
      } catch (cause) {
        if (!isDamage(cause)) throw cause
        refuse(file.name, damageOf(cause))
      }
    }
  }
  return plain
}

/** Throws PackedError, whose message is the reason, where the file cannot be opened as what it is. */
export async function openFile(file: PlainFile): Promise<Opened> {
  const head = await firstBytes(file, SNIFFED, true)
  const ascii = Buffer.from(head.subarray(0, 64)).toString('latin1')
  if (ascii.startsWith('version https://git-lfs')) throw new PackedError(LFS)
  if (ascii.startsWith('PAR1')) {
    const table = await parquetTable(await randomAccess(file))
    return { columns: table.columns, rows: (onBytes) => table.rows(onBytes) }
  }
  const texts = (onBytes?: (length: number) => void) => textOf(unpacked(counted(file.open(), byDisk(file, onBytes))))
  let text = ''
  for await (const piece of textOf(only(head))) text += piece
  const delimiter = delimiterOf(text, /\.(csv|tsv)(\.gz|\.zst)?$/i.test(file.name))
  if (delimiter !== null) {
    const columns: string[] = []
    for await (const _ of csvRows(one(`${text}\n`), delimiter, (names) => columns.push(...names))) break
    return { columns, rows: (onBytes) => whole(csvRows(texts(onBytes), delimiter)) }
  }
  if (isYamlList(text)) return { columns: null, rows: (onBytes) => whole(yamlRows(texts(onBytes))) }
  return { columns: null, rows: (onBytes) => whole(jsonTextRows(texts(onBytes))) }
}

/** Of a packed member the share of what it takes in its ZIP. */
function byDisk(file: PlainFile, onBytes: ((length: number) => void) | undefined) {
  const { packedBytes } = file
  if (packedBytes === undefined || onBytes === undefined) return onBytes
  let told = false
  return () => {
    if (!told) onBytes(packedBytes)
    told = true
  }
}

/** Rows up to where the file breaks off, which is told. */
async function* whole(rows: AsyncIterable<JsonRow>): AsyncGenerator<JsonRow> {
  let line = 0
  try {
    for await (const row of rows) {
      line = row.line
      yield row
    }
  } catch (cause) {
    if (!isDamage(cause)) throw cause
    yield { line: line + 1, value: undefined, problem: `the file breaks off here: ${damageOf(cause)}` }
  }
}

async function firstBytes(file: SourceFile, length: number, unpack = false): Promise<Uint8Array> {
  try {
    return await beginningOf(unpack ? unpacked(file.open()) : file.open(), length)
  } catch (cause) {
    if (!isDamage(cause)) throw cause
    return new Uint8Array(0)
  }
}

function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)
}

/** What the bytes are to blame for, unlike a disk that cannot be read. */
function isDamage(cause: unknown): boolean {
  if (cause instanceof PackedError) return true
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  return typeof code === 'number' || (typeof code === 'string' && code.startsWith('Z_'))
}

function damageOf(cause: unknown): string {
  return cause instanceof PackedError ? cause.message : 'it is damaged'
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

async function* one(text: string): AsyncGenerator<string> {
  yield text
}
