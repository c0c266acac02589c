/* Owns the tabs of a run and of the server: their words, paths and keys. A page that does not exist has no tab. */

export const RUN_TABS = [
  { key: 'o', word: 'Overview', segment: 'overview' },
  { key: 'b', word: 'Batch', segment: 'batch' },
  { key: 'g', word: 'Graph', segment: 'graph' },
  { key: 'e', word: 'Environments', segment: 'environments' },
  { key: 't', word: 'Task', segment: 'tasks' },
  { key: 'p', word: 'Predictions', segment: 'predictions' },
  { key: 's', word: 'Steering', segment: 'steering' },
  { key: 'u', word: 'Rollouts', segment: 'rollouts' },
  { key: ',', word: 'Settings', segment: 'settings' },
] as const

export const SERVER_TABS = [
  { key: 'r', word: 'Runs', path: '/' },
  { key: 'c', word: 'Compare', path: '/compare' },
  { key: 'n', word: 'Connect', path: '/connect' },
  { key: 'i', word: 'Import', path: '/import' },
  { key: 'h', word: 'Help', path: '/help' },
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
