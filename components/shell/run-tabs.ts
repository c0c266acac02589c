/* Owns a run's tabs: their words, paths and keys. A page that does not exist has no tab. */

export const RUN_TABS = [
  { key: 'o', word: 'Overview', segment: 'overview' },
  { key: 'b', word: 'Batch', segment: 'batch' },
  { key: 'g', word: 'Graph', segment: 'graph' },
  { key: 'e', word: 'Environments', segment: 'environments' },
  { key: 't', word: 'Task', segment: 'tasks' },
  { key: 's', word: 'Steering', segment: 'steering' },
] as const

/** The address of a tab. */
export function tabPath(run: string, segment: string): string {
  return `/runs/${encodeURIComponent(run)}/${segment}`
}

/** The id of the run that an address shows, or null on the server's pages. */
export function runOfPath(path: string): string | null {
  const match = /^\/runs\/([^/]+)/.exec(path)
  return match?.[1] === undefined ? null : decodeURIComponent(match[1])
}

/** The tab that an address shows, or null. */
export function tabOfPath(path: string): string | null {
  return /^\/runs\/[^/]+\/([^/]+)/.exec(path)?.[1] ?? null
}
