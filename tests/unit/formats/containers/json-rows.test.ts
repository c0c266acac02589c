import fc from 'fast-check'
import { expect, test } from 'vitest'
import { looseJson } from '@/lib/contract/loose-json'
import { type JsonRow, jsonRows } from '@/lib/formats/containers/json-rows'
import { textFile } from '@/tests/unit/formats/source-files'

async function rows(text: string, piece = 7): Promise<JsonRow[]> {
  const result: JsonRow[] = []
  for await (const row of jsonRows(textFile('f', text, piece).open())) result.push(row)
  return result
}
const values = async (text: string, piece = 7) => (await rows(text, piece)).map((row) => row.value)

const anyObject = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { maxKeys: 4 })

test('lines, lists and pretty objects give the same rows wherever the pieces are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyObject, { maxLength: 5 }), fc.integer({ min: 1, max: 30 }), async (items, piece) => {
      const plain = items.map((item) => JSON.parse(JSON.stringify(item)) as unknown)
      expect(await values(items.map((item) => JSON.stringify(item)).join('\n'), piece)).toEqual(plain)
      expect(await values(JSON.stringify(items), piece)).toEqual(plain)
      expect(await values(JSON.stringify(items, null, 2), piece)).toEqual(plain)
      const full = plain.filter((item) => JSON.stringify(item) !== '{}')
      expect(await values(full.map((item) => JSON.stringify(item, null, 2)).join('\n'), piece)).toEqual(full)
    }),
    { numRuns: 150 },
  )
})

test('a bad line is told with its number and loses no other', async () => {
  const found = await rows('{"a":1}\n<PLACEHOLDER ROW>\n\n{"a":2}')
  expect(found.map(({ line, value }) => [line, value])).toEqual([
    [1, { a: 1 }],
    [2, undefined],
    [4, { a: 2 }],
  ])
  expect(found[1]?.problem).toBe('it is not JSON')
})

test('a list that ends early keeps what was whole', async () => {
  const found = await rows('[{"a":1}, {"a":{"b":[1')
  expect(found.map((row) => row.value)).toEqual([{ a: 1 }, undefined])
  expect(found[1]).toMatchObject({ line: 2, problem: 'the file ends inside it' })
})

test('an empty file has no rows', async () => {
  expect(await rows('')).toEqual([])
  expect(await rows(' \n ')).toEqual([])
})

test('bare NaN and Infinity become texts, inside texts they stay', () => {
  expect(looseJson('{"a": NaN, "b": [-Infinity, Infinity], "c": "NaN \\" NaN", "d": 0}')).toEqual({
    a: 'NaN',
    b: ['-Infinity', 'Infinity'],
    c: 'NaN " NaN',
    d: 0,
  })
  expect(looseJson('NaNny')).toBeUndefined()
})

test('the time of a line without end grows with its length, not with the square', async () => {
  const pieces = async function* () {
    for (let at = 0; at < 8192; at += 1) yield new Uint8Array(1024).fill(32)
    yield new TextEncoder().encode('{"a":1}')
  }
  const begun = performance.now()
  const found: JsonRow[] = []
  for await (const row of jsonRows(pieces())) found.push(row)
  expect(found.map((row) => row.value)).toEqual([{ a: 1 }])
  // looked at whole at each piece it takes 15 s and more
  expect(performance.now() - begun).toBeLessThan(4000)
})
