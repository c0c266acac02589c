/**
 * The names of the functions that a reference answer calls, in its order; repeats count.
 * Answers come as call texts ("mv(source='a')", "[send()]"), as lists of them by turn, or as objects by function name.
 * Brackets inside arguments are skipped by depth; quotes are not trusted, since real files break them.
 */
import { asList, asRow } from './untyped'

export function callNames(answer: unknown): string[] {
  if (typeof answer === 'string') return namesInText(answer)
  const list = asList(answer)
  if (list !== null) return list.flatMap(callNames)
  const row = asRow(answer)
  return row === null ? [] : Object.keys(row)
}

function namesInText(text: string): string[] {
  const names: string[] = []
  let depth = 0
  for (const token of text.matchAll(/([A-Za-z_][\w.]*)?\s*\(|\)/g)) {
    if (token[0] === ')') depth = Math.max(0, depth - 1)
    else {
      if (depth === 0 && token[1] !== undefined) names.push(token[1])
      depth += 1
    }
  }
  return names
}
