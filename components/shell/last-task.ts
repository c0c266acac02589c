/* Owns which task of a run was looked at last, in this browser: the Task tab leads there. */

const nameOf = (run: string) => `envsched-task:${run}`

/** Keeps the task of an address like /runs/r1/tasks/t17; any other address changes nothing. */
export function rememberTask(path: string): void {
  const match = /^\/runs\/([^/]+)\/tasks\/([^/]+)/.exec(path)
  if (match?.[1] === undefined || match[2] === undefined) return
  localStorage.setItem(nameOf(decodeURIComponent(match[1])), decodeURIComponent(match[2]))
}

export function lastTask(run: string): string | null {
  return localStorage.getItem(nameOf(run))
}
