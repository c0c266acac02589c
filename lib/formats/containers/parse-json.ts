/**
 * JSON as programs really write it: Python's json.dump puts bare NaN and Infinity, which JSON.parse refuses.
 * They become the texts "NaN", "Infinity" and "-Infinity", which the rollout contract accepts and distrusts.
 */

/** The value, or undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    if (!text.includes('NaN') && !text.includes('Infinity')) return undefined
  }
  try {
    return JSON.parse(withNamedNumbers(text))
  } catch {
    return undefined
  }
}

/** Quotes the bare numbers outside of texts. One pass, without a pattern over texts: those may be megabytes long. */
function withNamedNumbers(text: string): string {
  const parts: string[] = []
  let at = 0
  while (at < text.length) {
    const quote = text.indexOf('"', at)
    const outside = text.slice(at, quote < 0 ? text.length : quote)
    parts.push(outside.replace(/-?\bInfinity\b|\bNaN\b/g, '"$&"'))
    if (quote < 0) break
    at = endOfText(text, quote)
    parts.push(text.slice(quote, at))
  }
  return parts.join('')
}

/** The place behind the text that opens at `quote`. */
function endOfText(text: string, quote: number): number {
  for (let at = text.indexOf('"', quote + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}
