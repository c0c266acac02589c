'use client'
/* Owns what holds now, to be told beside a past batch. Null while the graph is of now, or not known yet. */
import { useQuery } from '@tanstack/react-query'
import { graphFiguresQuery } from '@/lib/client/graph'
import type { Now } from '@/lib/view/graph-moment'

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

export function useNowFigures(run: string, batch: number | null): Now | null {
  const { data } = useQuery({ ...graphFiguresQuery(run, {}, null), enabled: batch !== null })
  if (batch === null || data === undefined || data.batch === batch) return null
  return { tried: sum(data.environments.tried), picks: sum(data.environments.picks) }
}
