/**
 * The recipes that lie in `public/recipes`: read as they are, so that what is shown is what is handed out.
 * Invariant: a recipe is one file named `<trainer>_envsched.*`. Its summary is the first sentence of its docstring; what it was
 * tested against is told by the sentence that begins with "Tested against", before or after that, and is null where none does.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Recipe } from '@/lib/contract/connect'

const FOLDER = path.join(process.cwd(), 'public', 'recipes')
const PLAIN = 'loop_envsched.py'

/** The plain loop first, then by name. Empty where the folder is not there. */
export async function readRecipes(folder = FOLDER): Promise<Recipe[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => /^[a-z0-9]+(_[a-z0-9]+)*_envsched\.[a-z]+$/.test(name))
  files.sort((a, b) => Number(b === PLAIN) - Number(a === PLAIN) || a.localeCompare(b))
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(path.join(folder, file), 'utf8')
      return { file, summary: summaryOf(text), tested: testedOf(text), text }
    }),
  )
}

const TESTED = /^(?:#\s*)?(Tested against [^\n]*(?:\n(?!\n)[^\n]+)*)/m

function summaryOf(text: string): string {
  const first = text.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
  return first
    .replace(/^("""|\/\/)\s*/, '')
    .replace(/"""\s*$/, '')
    .trim()
}

/** Only the head of the file counts: the paragraph in it, up to its first full stop before a space or the end. */
function testedOf(text: string): string | null {
  const head = text.split('\n').slice(0, 8).join('\n')
  const found = TESTED.exec(head)?.[1]
  if (found === undefined) return null
  const line = found.split('\n"""')[0] ?? found
  return (/^.*?\.(?=\s|$)/s.exec(line)?.[0] ?? line).replaceAll('\n', ' ').trim()
}
