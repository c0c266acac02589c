'use client'
/* Owns where the search looks: the runs, and of the run on the screen its pages, environments and tasks. Asks only while open. */
import { useQuery } from '@tanstack/react-query'
import { environmentsQuery } from '@/lib/client/environment'
import { runsQuery } from '@/lib/client/run'
import { tasksQuery } from '@/lib/client/task'
import { rankHits, type SearchHit } from '@/lib/view/search-hits'
import { RUN_TABS, SERVER_TABS, tabPath } from './run-tabs'
import { useSearchActions } from './use-search-actions'

const LIMIT = 14

export function useSearchHits(query: string, run: string | null, open: boolean): SearchHit[] {
  const inRun = open === true && run !== null
  const runs = useQuery({ ...runsQuery(), enabled: open })
  const environments = useQuery({ ...environmentsQuery(run ?? ''), enabled: inRun })
  const tasks = useQuery({
    ...tasksQuery(run ?? '', { q: query.trim(), limit: 20 }),
    enabled: inRun && query.trim() !== '',
  })
  const actions = useSearchActions(run)
  const tabs = run === null ? [] : RUN_TABS.map((tab) => ({ word: tab.word, path: tabPath(run, tab.segment) }))
  const hits: SearchHit[] = [...tabs, ...SERVER_TABS].map(({ word, path }) => ({
    id: `page-${path}`,
    kind: 'page',
    text: word,
    note: 'page',
    href: path,
  }))
  hits.push(...actions)
  for (const item of runs.data?.items ?? []) {
    hits.push({
      id: `run-${item.id}`,
      kind: 'run',
      text: item.name,
      note: item.status,
      href: tabPath(item.id, 'overview'),
    })
  }
  if (run !== null) {
    for (const item of environments.data?.items ?? []) {
      hits.push({
        id: `environment-${item.id}`,
        kind: 'environment',
        text: item.name,
        note: `environment ${item.code}`,
        href: `${tabPath(run, 'environments')}?open=${encodeURIComponent(item.id)}`,
      })
    }
    for (const item of tasks.data?.items ?? []) {
      hits.push({
        id: `task-${item.id}`,
        kind: 'task',
        text: item.key,
        note: item.environment.code,
        href: tabPath(run, `tasks/${encodeURIComponent(item.id)}`),
      })
    }
  }
  return rankHits(hits, query, LIMIT)
}
