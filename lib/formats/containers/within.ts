/**
 * Work of a library on bytes that anybody may have damaged, ended when it takes too long: a decoder that meets a length that
 * cannot be true may go round for ever.
 */
import vm from 'node:vm'

/** Work that was ended. */
export class TooSlowError extends Error {}

const script = new vm.Script('run()')
const context: { run: () => unknown } = { run: () => undefined }
vm.createContext(context)

/** The result of `run`, which must not wait for anything. Throws TooSlowError after so many milliseconds. */
export function within<T>(milliseconds: number, run: () => T): T {
  const results: T[] = []
  context.run = () => {
    results.push(run())
  }
  try {
    script.runInContext(context, { timeout: Math.ceil(milliseconds) })
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TooSlowError('It took too long.')
    throw cause
  }
  const [result] = results
  return result as T
}
