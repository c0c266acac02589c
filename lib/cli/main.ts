/**
 * `npm run envsched -- COMMAND`: start, demo, import.
 * Owns: which command, and how its end becomes an exit code (0 done, 1 could not, 2 wrong flags). Errors are one sentence.
 */
import { CommandError, importArguments, serveArguments, UsageError } from './arguments'
import { DEMO_HELP, demo } from './demo'
import { IMPORT_HELP, importFiles } from './import'
import { START_HELP, start } from './start'

const HELP = `npm run envsched -- COMMAND [flags]

  start     serve the dashboard and the trainer API
  demo      the same with a demo trainer beside it
  import    bring in task sets and rollouts from files

npm run envsched -- COMMAND --help shows the flags of a command, npm run envsched -- --version the version.
`

async function run(command: string | undefined, args: string[]): Promise<number> {
  const { env } = process
  if (command === 'start') {
    const parsed = serveArguments(args, env, false)
    return parsed.help ? help(START_HELP) : start(parsed, env)
  }
  if (command === 'demo') {
    const parsed = serveArguments(args, env, true)
    return parsed.help ? help(DEMO_HELP) : demo(parsed, env)
  }
  if (command === 'import') {
    const parsed = importArguments(args, env)
    return parsed.help ? help(IMPORT_HELP) : importFiles(parsed, env)
  }
  if (command === undefined || command === 'help' || command === '--help' || command === '-h') return help(HELP)
  throw new UsageError(`There is no command "${command}": there are start, demo and import.`)
}

function help(text: string): number {
  process.stdout.write(text)
  return 0
}

const [command, ...args] = process.argv.slice(2)
run(command, args).then(
  (code) => process.exit(code),
  (cause: unknown) => {
    const expected = cause instanceof CommandError || cause instanceof UsageError
    process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
    if (!expected && process.env.ENVSCHED_DEBUG !== undefined) process.stderr.write(`${(cause as Error).stack ?? ''}\n`)
    process.exit(cause instanceof UsageError ? 2 : 1)
  },
)
