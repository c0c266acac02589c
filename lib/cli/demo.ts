/**
 * `envsched demo`: the server with a demo trainer beside it, a process of its own that speaks HTTP like anyone's.
 * Owns: when the trainer starts and ends. The server stays when the trainer is done.
 */
import { spawn } from 'node:child_process'
import path from 'node:path'
import type { Environment, ServeArguments } from './arguments'
import { type Beside, start } from './start'
import { endOf, stop } from './start-server'

export const DEMO_HELP = `npm run demo -- [flags]
Serves the dashboard with a demo trainer that drives a run in real time.

  --port N      port to listen on (4310, or the next free one)
  --host ADDR   address to listen on (127.0.0.1); beyond loopback ENVSCHED_TOKEN must be set,
                16 characters or more
  --data DIR    folder for the database, token and logs (data, or ENVSCHED_DATA)
  --steps N     the trainer stops after N batches, the server stays
  --no-open     do not open a browser
`

export function demo(args: ServeArguments, env: Environment): Promise<number> {
  return start(args, env, trainer(args, env))
}

/** The token goes by the environment: command lines are open to everyone on the machine. */
function trainer({ steps, data }: ServeArguments, env: Environment): Beside {
  return ({ address, token, log }) => {
    const flags = [
      '--url',
      address,
      '--checkpoint',
      path.join(data, 'demo-policy.json'),
      ...(steps === null ? [] : ['--steps', String(steps)]),
    ]
    const child = spawn(process.execPath, ['--import', 'tsx', 'lib/cli/demo-trainer.ts', ...flags], {
      env: { ...env, NODE_ENV: 'production', ENVSCHED_TOKEN: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.on('data', log.lines('demo trainer'))
    child.stderr.on('data', log.lines('demo trainer', { level: 'error' }))
    void endOf(child).then((code) => {
      log.write('demo trainer ended', { code })
      if (code !== 0 && code !== null) {
        process.stderr.write(`The demo trainer ended with code ${code}: ${log.file} says why; the server stays.\n`)
      }
    })
    return () => stop(child)
  }
}
