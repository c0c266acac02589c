/**
 * JSON as programs really write it: Python's json.dump puts bare NaN and Infinity, which JSON does not know. They are read
 * as their names, "NaN", "Infinity" and "-Infinity", which the rollout contract accepts and distrusts, so that one
 * broken reward never loses a report. Invariant: texts are left alone, and time and stack do not grow with their length.
 */

/** The value, or undefined where the text is no JSON. */
export function looseJson(text: string): unknown {
  const value = parsed(text)
  return value === undefined && /NaN|Infinity/.test(text) ? parsed(withNamedNumbers(text)) : value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Quotes the bare numbers outside strings. One pass. */
function withNamedNumbers(text: string): string {
  const parts: string[] = []
  let at = 0
  while (at < text.length) {
    const quote = text.indexOf('"', at)
    const outside = text.slice(at, quote < 0 ? text.length : quote)
    parts.push(outside.replace(/-?\bInfinity\b|\bNaN\b/g, '"$&"'))
    if (quote < 0) break
    at = endOfString(text, quote)
    parts.push(text.slice(quote, at))
  }
  return parts.join('')
}

/** The place behind the string that opens at `quote`. */
function endOfString(text: string, quote: number): number {
  for (let at = quote + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}
