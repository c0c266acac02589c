'use client'
/* Owns where the list begins: at the newest group, or under one that a link, a selection or a scroll has fixed.
   Invariant: a changed filter begins at the newest again. */
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { rolloutQuery } from '@/lib/client/rollout'

export interface ListBegin {
  /** group number that the list begins under, null for the newest */
  below: number | null
  /** a linked rollout has not told its group yet */
  waits: boolean
  /** holds the list where it is, given its first group */
  hold: (number: number | undefined) => void
  newest: () => void
}

/** `filter` names the filters; `group` and `rollout` are what the address began with. */
export function useListBegin(run: string, filter: string, group: string | null, rollout: string | null): ListBegin {
  const [begin, setBegin] = useState<{ filter: string; below: number | null }>(() => ({
    filter,
    below: group === null ? null : Number(group.slice(1)) + 1,
  }))
  const [linked, setLinked] = useState(group === null ? rollout : null)
  const { data, isPending } = useQuery({ ...rolloutQuery(run, linked ?? '', false), enabled: linked !== null })
  useEffect(() => {
    if (data === undefined || linked === null) return
    setLinked(null)
    setBegin((before) => ({ ...before, below: data.in.number + 1 }))
  }, [data, linked])
  const below = begin.filter === filter ? begin.below : null
  const hold = useCallback(
    (number: number | undefined) => {
      if (below === null && number !== undefined) setBegin({ filter, below: number + 1 })
    },
    [below, filter],
  )
  const newest = useCallback(() => setBegin({ filter, below: null }), [filter])
  return { below, waits: linked !== null && isPending, hold, newest }
}
