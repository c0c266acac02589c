/** The files that a command line names: a folder stands for all files in it, in order, with their paths inside it. */
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { stemOf } from '@/lib/formats/file-place'
import { CommandError } from './arguments'

export interface NamedFile {
  /** as the importer sees it: plain name, or path from the named folder on */
  name: string
  path: string
  bytes: number
}

/** Throws CommandError where something is missing or nothing is there. */
export function gatherFiles(paths: string[]): NamedFile[] {
  const files = paths.flatMap((place) => walk(place, path.dirname(place)))
  if (files.length === 0) throw new CommandError(`${paths.join(', ')} holds no files.`)
  return files
}

/** What an import is called unless a name is given: the folder or the file without its endings. */
export function sourceName(paths: string[]): string {
  const [first = 'import', ...others] = paths
  const name = stemOf(path.basename(first))
  return others.length === 0 ? name : `${name} and ${others.length} more`
}

function walk(place: string, base: string): NamedFile[] {
  const stat = statSync(place, { throwIfNoEntry: false })
  if (stat === undefined) throw new CommandError(`${place} does not exist.`)
  if (stat.isDirectory()) {
    return readdirSync(place)
      .filter((name) => !name.startsWith('.'))
      .sort()
      .flatMap((name) => walk(path.join(place, name), base))
  }
  return [{ name: path.relative(base, place).split(path.sep).join('/'), path: place, bytes: stat.size }]
}
