/**
 * Makes the data folder, or says in one sentence why it cannot be.
 * One level at a time: Node's recursive mkdir never comes back where a file system refuses every new folder, as /proc does.
 */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { CommandError } from './arguments'

/** The folder and what it stands in are there afterwards, and can be written in. Throws CommandError. */
export function makeFolder(folder: string): void {
  const missing: string[] = []
  let place = folder
  let found = statOf(place)
  while (found === undefined && path.dirname(place) !== place) {
    missing.unshift(place)
    place = path.dirname(place)
    found = statOf(place)
  }
  if (found?.isDirectory() === false) throw new CommandError(`${place} is a file: name a folder with --data.`)
  try {
    for (const level of missing) makeOne(level)
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch {
    const what = missing.length === 0 ? 'cannot be written in' : 'cannot be made'
    throw new CommandError(`${folder} ${what}: name a folder of your own with --data.`)
  }
}

/** Another process may have made it meanwhile. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}

/** Undefined where nothing is there; what stands in a file is not there either. */
function statOf(place: string) {
  try {
    return statSync(place, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
