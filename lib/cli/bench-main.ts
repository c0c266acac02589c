/**
 * What every measured command does around its one work: flags, help, a line of progress, exit codes.
 * Must never know what is measured. Invariant: 2 = the flags, 1 = what the work answers or a CommandError, told in one sentence.
 */
import { CommandError } from './arguments'

/** `planOf` gives null when help was asked for and throws one sentence about a wrong flag. Answers the exit code. */
export async function benchMain<Plan>(
  help: string,
  planOf: (args: string[]) => Plan | null,
  work: (plan: Plan, progress: (line: string) => void) => Promise<number>,
): Promise<number> {
  let plan: Plan | null
  try {
    plan = planOf(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
  if (plan === null) {
    process.stdout.write(help)
    return 0
  }
  const progress = (line: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
  }
  try {
    return await work(plan, progress)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}
