/* Owns the lines that connect a trainer: the download and the loop. `address` is where this server listens. */

function origin(address: string): string {
  return /^https?:\/\//.test(address) ? address.replace(/\/$/, '') : `http://${address}`
}

export function downloadLine(address: string): string {
  return `curl -O ${origin(address)}/envsched.py`
}

/** The loop of a trainer; the token is the one printed at start, read from the environment. */
export function loopLines(address: string): string {
  return [
    'from envsched import Client',
    `run = Client("${origin(address)}", token).start_run(task_set, name="my-run")`,
    'for step in range(120):',
    '    batch = run.next_batch(size=64, group_size=8, policy_version=step)',
    '    run.report(train(batch))',
  ].join('\n')
}
