import { gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import yazl from 'yazl'
import { csvRows } from '@/lib/formats/containers/csv-rows'
import { textCell } from '@/lib/formats/containers/table-cells'
import { type ImportedSource, readFiles } from '@/lib/formats/read-files'
import type { SourceFile } from '@/lib/formats/source-file'
import { bytesFile } from '@/tests/unit/formats/source-files'

const read = (name: string, bytes: Uint8Array | string) => readFiles([bytesFile(name, bytes)])
const rewards = (source: ImportedSource) =>
  [...source.groups].flatMap(({ rollouts }) => rollouts.map(({ task, reward }) => [task, reward]))
const reasons = (source: ImportedSource) => source.skipped.map(({ reason, lines }) => [reason, ...lines])
const lines = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')
const row = (task: string, reward: unknown, more: object = {}) => ({ environment: 'e', task, reward, ...more })

async function zipOf(files: Record<string, string | Buffer>, compress = true): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name, { compress })
  zip.end()
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** One frame of Zstandard with one raw block: what any packer may write. */
function zstdOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  const block = (bytes.length << 3) | 1
  const size = Buffer.alloc(4)
  size.writeUInt32LE(bytes.length)
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]),
    size,
    Buffer.from([block & 255, (block >> 8) & 255, (block >> 16) & 255]),
    bytes,
  ])
}

describe('tables as text', () => {
  test('quotes run over lines, the mark of the encoding goes, a long row is told and loses no other', async () => {
    const csv = '\ufeffenvironment,task,reward,note\ne,"a,b",0.5,"one\ntwo ""x"""\ne,c,,\ne,d,1.0,x,too,many\ne,f,NaN\n'
    const source = await read('any.dat', csv)
    expect(rewards(source)).toEqual([
      ['a,b', 0.5],
      ['c', null],
      ['f', 'NaN'],
    ])
    expect(reasons(source)).toEqual([['it has more cells than the first line has names', 5]])
  })

  test('semicolons and tabs part cells, gzip too, and a quote that never closes spoils one line', async () => {
    expect(rewards(await read('a.csv', 'environment;task;reward\ne;007;-1\n'))).toEqual([['007', -1]])
    expect(rewards(await read('a.bin', gzipSync('environment\ttask\treward\ne\t1\ttrue\n')))).toEqual([['1', true]])
    const open = await read('a.csv', `environment,task,reward\ne,1,1\ne,"2,0\n\ne,3,0\n`)
    expect(rewards(open)).toEqual([
      ['1', 1],
      ['3', 0],
    ])
    expect(reasons(open)).toEqual([['a quote in it does not close', 3]])
  })

  test('reads whole tables as csv-parse does, wherever the pieces are cut', async () => {
    const cell = fc.oneof(fc.constantFrom('', ' a', '"', 'a"b', ',', '\n', 'x\r\ny', '""'), fc.string({ maxLength: 5 }))
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(table, fc.integer({ min: 1, max: 9 }), async (cells, piece) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const text = ['a,b', ...cells.map((pair) => pair.map(quoted).join(','))].join('\r\n')
        const found: unknown[] = []
        const pieces = async function* () {
          for (let at = 0; at < text.length; at += piece) yield text.slice(at, at + piece)
        }
        for await (const { value } of csvRows(pieces(), ',')) found.push(value)
        const expected = parse(text, { columns: true, record_delimiter: '\r\n' }) as { a: string; b: string }[]
        expect(found).toEqual(expected.map(({ a, b }) => ({ a: textCell(a), b: textCell(b) })))
      }),
      { numRuns: 100 },
    )
  })

  test.each([
    ['', null],
    ['0', 0],
    ['-0.50', '-0.50'],
    ['1.0', 1],
    ['007', '007'],
    ['1e3', 1000],
    ['nan', 'NaN'],
    ['-inf', '-Infinity'],
    ['True', true],
    ['[1, NaN]', [1, 'NaN']],
    ['{bad', '{bad'],
  ])('the cell %j is %j', (text, value) => {
    expect(textCell(text)).toEqual(value)
  })
})

test('Parquet: nested columns, whole numbers of 64 bits, NaN and null, several row groups', async () => {
  const bytes = parquetWriteBuffer({
    columnData: [
      { name: 'environment', data: ['e', 'e', 'f'], type: 'STRING' },
      { name: 'task', data: [1n, 2n, 3n], type: 'INT64' },
      { name: 'reward', data: [0, null, Number.NaN], type: 'DOUBLE' },
      { name: 'parts', data: [{ a: 1 }, null, { a: 0 }], type: 'JSON' },
    ],
    rowGroupSize: 2,
  })
  const source = await read('completions.parquet', new Uint8Array(bytes))
  expect(rewards(source)).toEqual([
    ['1', 0],
    ['2', null],
    ['3', 'NaN'],
  ])
  expect(source.taskSet?.environments.map(({ key }) => key)).toEqual(['e', 'f'])
  await expect(read('cut.parquet', new Uint8Array(bytes).subarray(0, bytes.byteLength - 9))).rejects.toThrow(/holds no/)
})

test('YAML lists give their items, a bad one loses no other', async () => {
  const yaml =
    '# notes\n- environment: e\n  task: a\n  reward: 1\n- environment: [e\n- environment: e\n  task: b\n  reward: .5\n'
  const source = await read('g.yaml', yaml)
  expect(rewards(source)).toEqual([
    ['a', 1],
    ['b', 0.5],
  ])
  expect(reasons(source)).toEqual([['it is not YAML', 5]])
})

describe('ZIP', () => {
  test('names that are absolute or lead out of the folder are names like others', async () => {
    const zip = await zipOf({
      '11abs.jsonl': lines(row('a', 1)),
      '22/up.jsonl': lines(row('b', 0)),
      'c.jsonl': lines(row('c', 1)),
    })
    const odd = Buffer.from(zip.toString('latin1').replaceAll('11abs', '//abs').replaceAll('22/up', '../up'), 'latin1')
    const source = await read('odd.zip', odd)
    expect(source.tally.files.map(({ name }) => name)).toEqual([
      'odd.zip/abs.jsonl',
      'odd.zip/../up.jsonl',
      'odd.zip/c.jsonl',
    ])
    expect(source.skipped).toEqual([])
  })

  test('each member is a file of its own, in folders, deflated, stored or zstd, and in a ZIP inside', async () => {
    const inner = await zipOf({ 'deep.jsonl': lines(row('d', 1)) }, false)
    const packed = await zipOf({ 'a/one.jsonl': lines(row('a', 1)), '__MACOSX/x': 'x', 'in.zip': inner, 'b.txt': 'no' })
    const source = await read('all.zip', packed)
    expect(rewards(source).sort()).toEqual([
      ['a', 1],
      ['d', 1],
    ])
    expect(source.tally.files.map(({ name }) => name)).toEqual(['all.zip/a/one.jsonl', 'all.zip/in.zip/deep.jsonl'])
    expect(source.skipped).toMatchObject([{ reason: 'the whole file: its form is not known', file: 'all.zip/b.txt' }])
    const stored = await zipOf({ 'z.jsonl': zstdOf(lines(row('z', 0))) }, false)
    for (const [mark, place] of [
      ['PK\x03\x04', 8],
      ['PK\x01\x02', 10],
    ] as const)
      stored.writeUInt16LE(93, stored.indexOf(mark, 0, 'latin1') + place)
    expect(rewards(await read('log.eval', stored))).toEqual([['z', 0]])
  })

  test('what is damaged or unpacks to absurd lengths is told, the others are read', async () => {
    const good = bytesFile('good.jsonl', lines(row('a', 1)))
    const zip = await zipOf({ 'x.jsonl': lines(row('b', 1)) })
    const source = await readFiles([good, bytesFile('cut.zip', zip.subarray(0, zip.length - 30))])
    expect(source.rollouts).toBe(1)
    expect(source.skipped).toMatchObject([{ reason: 'the whole file: it is a damaged ZIP file', file: 'cut.zip' }])
  })
})

describe('encodings', () => {
  const text = lines(row('Über', 1), row('ß', 0))
  test('UTF-16, marks, and single lines in Latin-1', async () => {
    const both = [
      ['Über', 1],
      ['ß', 0],
    ]
    expect(rewards(await read('a', Buffer.from(`\ufeff${text}`, 'utf16le')))).toEqual(both)
    expect(rewards(await read('a', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()))).toEqual(both)
    expect(rewards(await read('a', `\ufeff${text}`))).toEqual(both)
    const mixed = Buffer.concat([Buffer.from(`${lines(row('Über', 1))}\n`, 'latin1'), Buffer.from(lines(row('ß', 0)))])
    expect(rewards(await read('a', mixed))).toEqual(both)
  })

  test('a line of many megabytes is one row', async () => {
    const long = lines(row('a', 1), row('b', 1, { note: 'ä'.repeat(3_000_000) }), row('c', 0))
    const source = await readFiles([bytesFile('a', long, 2 ** 16)])
    expect(source.rollouts).toBe(3)
  })
})

test('a pointer of Git LFS and bare zstd', async () => {
  const good: SourceFile = bytesFile('good.zst', zstdOf(lines(row('a', 1))))
  const pointer = bytesFile('b.jsonl', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n')
  const source = await readFiles([pointer, good])
  expect(rewards(source)).toEqual([['a', 1]])
  expect(reasons(source)).toEqual([['the whole file: it is a pointer of Git LFS: fetch the file itself']])
})
