/**
 * 10,000 damaged files over all readers, the same ones each time. Every fixture under tests/fixtures/formats is taken as it
 * lies there: a folder is one source, of which one file is damaged at a time; rows are also packed as ZIP, gzip, CSV and Parquet.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { beforeAll, describe, expect, test } from 'vitest'
import yazl from 'yazl'
import { rolloutInput } from '@/lib/contract/rollout'
import { taskSetInput } from '@/lib/contract/task-set'
import { type ImportedSource, readFiles, UnknownFormatError } from '@/lib/formats/read-files'
import { mutated, randomOf } from './mutate'
import { bytesFile } from './source-files'

const FILES = 10_000
const SEED = 20_261_130
/** one file, in milliseconds, on a machine that does other things beside */
const SLOWEST = 5000
const MOST_MEMORY = 400 * 2 ** 20

/** every ninth source is read as if nobody knew its rows */
const MAPPING = {
  environment: '=some',
  task: 'task',
  text: 'prompt',
  reward: 'reward',
  messages: 'messages',
  status: 'status',
  tools: 'tools',
  turns: 'turns',
  policyVersion: 'step',
} as const

interface Source {
  name: string
  files: { name: string; bytes: Buffer }[]
}

const ROOT = path.resolve(import.meta.dirname, '../../fixtures/formats')

function sourcesOf(): Source[] {
  return readdirSync(ROOT)
    .sort()
    .map((name) => ({ name, files: filesOf(path.join(ROOT, name), ROOT) }))
}

function filesOf(place: string, base: string): Source['files'] {
  if (!statSync(place).isDirectory()) return [{ name: path.relative(base, place), bytes: readFileSync(place) }]
  return readdirSync(place)
    .sort()
    .flatMap((name) => filesOf(path.join(place, name), base))
}

async function zipOf(files: Source['files']): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [place, { name, bytes }] of files.entries()) zip.addBuffer(bytes, name, { compress: place % 2 === 0 })
  zip.end()
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const ROWS = [0, 1, 2, 3, 4, 5].map((place) => ({
  environment: place % 2 === 0 ? 'oven' : 'post',
  task: `t${place % 3}`,
  reward: [0, 1, 0.5, null, Number.NaN, -100][place] ?? null,
  turns: place,
  tools: ['a', 'b'].slice(place % 3),
}))

async function packedSources(plain: readonly Source[]): Promise<Source[]> {
  const zips = await Promise.all(
    plain.map(async ({ name, files }) => ({
      name: `${name}.zip`,
      files: [{ name: `${name}.zip`, bytes: await zipOf(files) }],
    })),
  )
  const columns = ['environment', 'task', 'reward', 'turns', 'tools'] as const
  const types = { environment: 'STRING', task: 'STRING', reward: 'DOUBLE', turns: 'INT32', tools: 'JSON' } as const
  const parquet = parquetWriteBuffer({
    columnData: columns.map((name) => ({ name, type: types[name], data: ROWS.map((row) => row[name]) })),
    rowGroupSize: 4,
  })
  const csv = [
    columns.join(','),
    ...ROWS.map((row) => `${row.environment},"${row.task}",${row.reward ?? ''},${row.turns},`),
  ]
  const yaml = ROWS.map(
    (row) => `- environment: ${row.environment}\n  task: ${row.task}\n  reward: ${row.reward ?? '~'}\n`,
  )
  const table = Object.fromEntries(columns.map((name) => [name, ROWS.map((row) => row[name])]))
  const single = { info: { model: 'm' }, results: ROWS }
  const made: [string, Buffer][] = [
    ['rows.parquet', Buffer.from(parquet)],
    ['rows.csv', Buffer.from(csv.join('\n'))],
    ['rows.yaml', Buffer.from(yaml.join(''))],
    ['rows.jsonl.gz', gzipSync(ROWS.map((row) => JSON.stringify(row)).join('\n'))],
    ['columns.jsonl', Buffer.from(JSON.stringify(table))],
    ['results.json', Buffer.from(JSON.stringify(single, null, 2))],
    ['wide.jsonl', Buffer.from(`\ufeff${ROWS.map((row) => JSON.stringify(row)).join('\r\n')}`, 'utf16le')],
  ]
  return [...zips, ...made.map(([name, bytes]) => ({ name, files: [{ name, bytes }] }))]
}

/** Null where the source fits the contract, else what does not. */
function misfit(source: ImportedSource): string | null {
  const set = source.taskSet === null ? null : taskSetInput.safeParse(source.taskSet)
  if (set !== null && !set.success) return `task set: ${set.error.message}`
  const tasks = new Set((set?.data?.tasks ?? []).map(({ environment, key }) => JSON.stringify([environment, key])))
  const ids = new Set<string>()
  for (const { rollouts } of source.groups)
    for (const rollout of rollouts) {
      const read = rolloutInput.safeParse(rollout)
      if (!read.success) return `rollout: ${read.error.message}`
      if (!tasks.has(JSON.stringify([read.data.environment, read.data.task]))) return 'a rollout of no task'
      if (ids.has(read.data.id)) return `the id ${read.data.id} twice`
      ids.add(read.data.id)
    }
  if (ids.size !== source.rollouts) return 'rollouts were lost'
  if (source.skipped.some(({ reason, count }) => reason === '' || !(count > 0))) return 'a skip without a reason'
  return source.tally.kept < 0 || source.tally.kept > source.tally.rows ? 'more rows kept than read' : null
}

describe('damaged files', () => {
  let sources: Source[]
  beforeAll(async () => {
    const plain = sourcesOf()
    sources = [...plain, ...(await packedSources(plain))]
  })

  test('that are whole are read without a word', async () => {
    const refused: string[] = []
    for (const { name, files } of sources) {
      const source = await readFiles(files.map(({ name: file, bytes }) => bytesFile(file, bytes, 4096))).catch(
        (cause: unknown) => cause,
      )
      if (source instanceof UnknownFormatError) refused.push(name)
      else if (source instanceof Error) throw source
      else expect([name, misfit(source as ImportedSource)]).toEqual([name, null])
    }
    // answers without their tasks
    expect(refused).toEqual(['agent-answers.json', 'agent-answers.json.zip'])
  })

  test('give a refusal or a correct read: never a crash, a hang, or what the contract refuses', {
    timeout: 400_000,
  }, async () => {
    const random = randomOf(SEED)
    const seen = { read: 0, refused: 0, slowest: 0 }
    const bad: string[] = []
    for (let run = 0; run < FILES && bad.length < 5; run++) {
      const source = sources[run % sources.length]
      if (source === undefined) throw new Error('no source')
      const hit = Math.floor(random() * source.files.length)
      const files = source.files.map(({ name, bytes }, place) =>
        bytesFile(name, place === hit ? mutated(bytes, random) : bytes, 4096),
      )
      const label = `${source.name}, file ${source.files[hit]?.name}, run ${run}`
      const began = performance.now()
      try {
        const wrong = misfit(await readFiles(files, run % 9 === 0 ? { mapping: MAPPING } : {}))
        if (wrong !== null) bad.push(`${label}: ${wrong}`)
        seen.read += 1
      } catch (cause) {
        if (!(cause instanceof UnknownFormatError))
          bad.push(`${label}: ${cause instanceof Error ? cause.stack : cause}`)
        else if (!/^\S.*\.$/s.test(cause.message)) bad.push(`${label}: no sentence: ${cause.message}`)
        seen.refused += 1
      }
      const took = performance.now() - began
      seen.slowest = Math.max(seen.slowest, took)
      if (took > SLOWEST) bad.push(`${label}: took ${Math.round(took)} ms`)
    }
    expect(bad).toEqual([])
    expect(seen.read).toBeGreaterThan(FILES / 4)
    expect(seen.refused).toBeGreaterThan(FILES / 200)
    const { heapUsed, external } = process.memoryUsage()
    expect(heapUsed + external).toBeLessThan(MOST_MEMORY)
  })
})
