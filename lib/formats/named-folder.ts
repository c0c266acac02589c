/** The nearest folder above a file whose name says something: "out/gym/data/rollouts.jsonl" is "gym" where data is generic. */
export function namedFolder(path: string, generic: RegExp): string | null {
  const folders = path.split(/[\\/]/).slice(0, -1)
  return (
    folders.findLast((folder) => folder !== '' && folder !== '.' && folder !== '..' && !generic.test(folder)) ?? null
  )
}

/** The first whole number that `pattern` finds in a path, in its first group; null where there is none. */
export function numberInPath(path: string, pattern: RegExp): number | null {
  const digits = pattern.exec(path)?.[1]
  const number = digits === undefined ? Number.NaN : Number(digits)
  return Number.isSafeInteger(number) ? number : null
}
