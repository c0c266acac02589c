/**
 * JSON as programs really write it: Python's json.dump puts bare NaN and Infinity, which JSON.parse refuses.
 * They become the texts "NaN", "Infinity" and "-Infinity", which the rollout contract accepts and distrusts.
 */
const BARE = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g

/** The value, or undefined where the text is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    if (!text.includes('NaN') && !text.includes('Infinity')) return undefined
  }
  try {
    return JSON.parse(text.replace(BARE, (token) => (token.startsWith('"') ? token : `"${token}"`)))
  } catch {
    return undefined
  }
}
