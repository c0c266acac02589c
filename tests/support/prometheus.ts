/**
 * A strict reader of Prometheus' text format, version 0.0.4, as `promtool check metrics` is one: throws at the line that is wrong.
 */
export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const VALUE = /^(NaN|[+-]?Inf|[+-]?\d+(\.\d+)?([eE][+-]?\d+)?)$/
const SUFFIXES: Record<string, readonly string[]> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

/** Samples by family. Every family has one HELP and one TYPE before its samples, which stand together and differ. */
export function readMetrics(text: string): Map<string, { type: string; samples: Sample[] }> {
  if (!text.endsWith('\n')) throw new Error('the last line is not ended')
  const families = new Map<string, { type: string; samples: Sample[] }>()
  const helped = new Set<string>()
  const seen = new Set<string>()
  let open = ''
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, kind, family = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (kind === 'HELP') {
      if (helped.has(family)) throw new Error(`two HELP: ${line}`)
      helped.add(family)
    } else if (kind === 'TYPE') {
      if (families.has(family) || !helped.has(family) || !NAME.test(family)) throw new Error(`bad TYPE: ${line}`)
      if (!['counter', 'gauge', 'histogram', 'summary', 'untyped'].includes(rest)) throw new Error(`bad type: ${line}`)
      families.set(family, { type: rest, samples: [] })
      open = family
    } else if (line.startsWith('#')) throw new Error(`bad comment: ${line}`)
    else {
      const sample = sampleOf(line)
      const found = families.get(open)
      const suffix = sample.name.slice(open.length)
      if (found === undefined || !sample.name.startsWith(open) || !(SUFFIXES[found.type] ?? ['']).includes(suffix))
        throw new Error(`out of its family: ${line}`)
      if (found.type === 'counter' && !open.endsWith('_total')) throw new Error(`a counter ends with _total: ${line}`)
      const series = JSON.stringify([sample.name, Object.entries(sample.labels).sort()])
      if (seen.has(series)) throw new Error(`twice: ${line}`)
      seen.add(series)
      found.samples.push(sample)
    }
  }
  return families
}

function sampleOf(line: string): Sample {
  const name = /^[^{ ]+/.exec(line)?.[0] ?? ''
  let at = name.length
  const labels: Record<string, string> = {}
  if (line[at] === '{') {
    const label = /(?:^\{|,)([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"/y
    const inside = line.slice(at)
    while (inside[label.lastIndex] !== '}') {
      const found = label.exec(inside)
      if (found === null) throw new Error(`bad labels: ${line}`)
      labels[found[1] ?? ''] = found[2] ?? ''
    }
    at += label.lastIndex + 1
  }
  const value = line.slice(at + 1)
  if (!NAME.test(name) || line[at] !== ' ' || !VALUE.test(value)) throw new Error(`bad sample: ${line}`)
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) }
}
