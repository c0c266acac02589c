'use client'
/* Owns what a search finds: among the graph's own nodes, or above 10,000 tasks among those that the server names.
   Invariant: the same order in both; islands are always found here. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { tasksQuery } from '@/lib/client/task'
import type { GraphView } from '@/lib/contract/graph'
import { type GraphMatch, searchGraph } from '@/lib/view/graph-search'

const MOST = 8
const HAND_RESTS_MS = 180

function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), HAND_RESTS_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

export function useGraphMatches(run: string, graph: GraphView, text: string): GraphMatch[] {
  const isLarge = graph.level === 'environments'
  const asked = useRested(isLarge ? text.trim() : '')
  const { data } = useQuery({
    ...tasksQuery(run, { q: asked, sort: 'key', limit: MOST }),
    enabled: isLarge && asked !== '',
  })
  const here = useMemo(() => searchGraph(graph, text, MOST), [graph, text])
  if (!isLarge) return here
  if (text.trim() === '') return []
  const islands = here.filter((match) => match.kind === 'environment')
  const tasks = (data?.items ?? []).map(
    (task): GraphMatch => ({
      kind: 'task',
      id: task.id,
      label: task.key,
      environment: graph.environments.findIndex(({ id }) => id === task.environment.id),
    }),
  )
  return [...islands, ...tasks].slice(0, MOST)
}
