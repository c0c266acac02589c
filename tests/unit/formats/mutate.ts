/** Damage done to files, the same for the same seed: what disks, networks, other programs and ill will do to them. */

/** 0 to 1, without 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

type Random = () => number

const below = (random: Random, most: number) => Math.floor(random() * Math.max(1, most))
const pick = <T>(random: Random, items: readonly [T, ...T[]]): T => items[below(random, items.length)] ?? items[0]

/** What may stand where a value stood; texts are put in as they are, so that they need not be JSON. */
const ODD = [
  'null',
  'NaN',
  '-Infinity',
  '1e999',
  '-0',
  '0',
  '""',
  '" "',
  'true',
  '[]',
  '{}',
  '[null]',
  '[[1, "x"], {}]',
  '{"name": null, "arguments": 3, "role": 1, "content": [[]]}',
  '9007199254740993',
  '1e300',
  '-3.5',
  '"\\u0000\\ud800"',
  '"__proto__"',
  '{"__proto__": {"reward": 1}, "constructor": 1}',
  `"${'x'.repeat(3000)}"`,
  `${'['.repeat(600)}${']'.repeat(600)}`,
  `${'{"a":'.repeat(600)}1${'}'.repeat(600)}`,
  'not json',
] as const

const VALUE = /"(?:[^"\\\n]|\\.){0,2000}"\s*(?!\s*:)|-?\d[\d.eE+-]*|\btrue\b|\bfalse\b|\bnull\b|\[\]|\{\}/g

/** One value of a JSON text by an odd one. */
function swapped(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('utf8')
  const values = [...text.matchAll(VALUE)]
  const found = values[below(random, values.length)]
  if (found === undefined) return flipped(bytes, random)
  const odd = pick(random, ODD)
  return Buffer.from(text.slice(0, found.index) + odd + text.slice(found.index + found[0].length))
}

/** One key of a JSON text by another that is there, or by one that is not. */
function renamed(bytes: Buffer, random: Random): Buffer {
  const text = bytes.toString('utf8')
  const keys = [...text.matchAll(/"([^"\\\n]{1,60})"\s*:/g)]
  const found = keys[below(random, keys.length)]
  const other = keys[below(random, keys.length)]
  if (found === undefined || other === undefined) return flipped(bytes, random)
  const name = random() < 0.5 ? (other[1] ?? '') : 'other'
  return Buffer.from(`${text.slice(0, found.index)}"${name}":${text.slice(found.index + found[0].length)}`)
}

function flipped(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes)
  // half of them near an end: there lie the headers of packed files
  const near = random() < 0.5 ? copy.length : Math.min(copy.length, 64)
  for (let count = 1 + below(random, 4); count > 0 && copy.length > 0; count--) {
    const at = random() < 0.5 ? below(random, near) : copy.length - 1 - below(random, near)
    copy[at] = pick(random, [0, 255, 127, below(random, 256), (copy[at] ?? 0) ^ (1 << below(random, 8))])
  }
  return copy
}

const KINDS: readonly [(bytes: Buffer, random: Random) => Buffer, ...((bytes: Buffer, random: Random) => Buffer)[]] = [
  (bytes, random) => bytes.subarray(0, below(random, bytes.length)),
  (bytes, random) => bytes.subarray(below(random, bytes.length)),
  flipped,
  flipped,
  swapped,
  swapped,
  swapped,
  renamed,
  (bytes, random) => {
    const [from, length] = [below(random, bytes.length), below(random, 400)]
    return Buffer.concat([bytes.subarray(0, from + length), bytes.subarray(from)])
  },
  (bytes, random) => {
    const from = below(random, bytes.length)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + below(random, 200))])
  },
  (bytes) => Buffer.concat([bytes, Buffer.from('\n'), bytes]),
]

/** One to three kinds of damage. */
export function mutated(bytes: Buffer, random: Random): Buffer {
  let damaged = bytes
  for (let count = 1 + below(random, 3); count > 0; count--) damaged = pick(random, KINDS)(damaged, random)
  return damaged
}
