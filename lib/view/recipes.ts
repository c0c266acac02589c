/* Owns how a recipe is shown: its trainer's name, its order, the lines for the trainer's own configuration, address and token filled in. */
import type { Recipe } from '@/lib/contract/connect'

/** Names as their makers write them, in the order of the tabs; others follow by the name of their file. */
const NAMES: Readonly<Record<string, string>> = {
  loop: 'plain loop',
  verl: 'verl',
  verl_sampler: 'verl 0.6, 0.7',
  trl: 'TRL',
  verifiers: 'verifiers',
  prime_rl: 'prime-rl',
  slime: 'slime',
  trinity: 'Trinity-RFT',
  nemo_rl: 'NeMo-RL',
  skyrl: 'SkyRL',
  roll: 'ROLL',
  openrlhf: 'OpenRLHF',
}
const ORDER = Object.keys(NAMES)

/** Lines that a person adapts end with this comment in the recipe. */
const YOURS = /\s*(#|\/\/) yours$/
/** As the files name it; a page names its own. */
const DEFAULT_ADDRESS = 'http://127.0.0.1:4310'
const TOKEN_FROM_SHELL = 'os.environ.get("ENVSCHED_TOKEN")'
const TOKEN_IN_ADDRESS = '?token=...'
const TOKEN_FLAG = '--token TOKEN'
const ALL_FROM_SHELL = 'Client()'

/** "verl_sampler_envsched.py" is of the trainer "verl_sampler": the word that stands for it in an address. */
export function recipeKey(file: string): string {
  return file.replace(/_envsched\.[a-z]+$/, '')
}

export function recipeName(file: string): string {
  const key = recipeKey(file)
  return NAMES[key] ?? key.replaceAll('_', ' ')
}

export function inOrder(recipes: readonly Recipe[]): Recipe[] {
  const place = ({ file }: Recipe) => {
    const at = ORDER.indexOf(recipeKey(file))
    return at === -1 ? ORDER.length : at
  }
  return [...recipes].sort((a, b) => place(a) - place(b) || a.file.localeCompare(b.file))
}

export interface RecipeLine {
  text: string
  adapt: boolean
  comment: boolean
}

/** The lines of a recipe; `adapt`: they are the reader's to change. The mark itself stays in the file. */
export function recipeLines(text: string): RecipeLine[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => ({ text: line.replace(YOURS, ''), adapt: YOURS.test(line), comment: /^\s*(#|\/\/)/.test(line) }))
}

/**
 * The indented lines of the docstring: what goes into the trainer's command or configuration, without their indent.
 * Empty where the docstring has none.
 */
export function setupLines(text: string): RecipeLine[] {
  const docstring = /"""([\s\S]*?)"""/.exec(text)?.[1] ?? ''
  const lines = docstring.split('\n')
  const kept = lines.filter((line, at) => line.startsWith('    ') || (line.trim() === '' && isBetween(lines, at)))
  return kept.map((line) => {
    const bare = line.slice(4)
    return { text: bare, adapt: false, comment: bare.trimStart().startsWith('#') }
  })
}

/** A blank line counts as one of the block where indented lines are on both of its sides. */
function isBetween(lines: readonly string[], at: number): boolean {
  return lines[at - 1]?.startsWith('    ') === true && lines[at + 1]?.startsWith('    ') === true
}

/** The file with this server's address, and with a token as the value where the shell has none; null leaves it to the shell. */
export function filledIn(text: string, address: string | null, token: string | null): string {
  const given = [
    address === null ? 'None' : JSON.stringify(address),
    ...(token === null ? [] : [JSON.stringify(token)]),
  ]
  const addressed =
    address === null && token === null ? text : text.replaceAll(ALL_FROM_SHELL, `Client(${given.join(', ')})`)
  const named = address === null ? addressed : addressed.replaceAll(DEFAULT_ADDRESS, address)
  if (token === null) return named
  return named
    .replaceAll(TOKEN_FROM_SHELL, `os.environ.get("ENVSCHED_TOKEN", ${JSON.stringify(token)})`)
    .replaceAll(TOKEN_IN_ADDRESS, `?token=${token}`)
    .replaceAll(TOKEN_FLAG, `--token ${token}`)
}

/** A token with its kind and its last four letters, the rest as dots. */
export function hiddenToken(token: string): string {
  const start = /^es_[a-z]+_/.exec(token)?.[0] ?? ''
  return `${start}${'•'.repeat(20)}${token.slice(-4)}`
}
