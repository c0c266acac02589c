'use client'
/* Owns asking for the graph: what is stored once, what moves with the log, and above 10,000 tasks only the nodes that the
   address needs. Invariant: figures belong to the nodes they stand beside; older data stays until newer is there. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type GraphWish, graphFiguresQuery, graphQuery } from '@/lib/client/graph'
import { RequestError } from '@/lib/client/request'
import { evidenceQuery } from '@/lib/client/task'
import type { EvidenceView } from '@/lib/contract/evidence'
import type { GraphAddress } from '@/lib/view/graph-address'
import { neighboursBySize } from '@/lib/view/graph-evidence'
import { figuresIn, withFigures } from '@/lib/view/graph-merge'

/** Contributors that are drawn beside an open environment. */
const ALSO = 50

/** Which nodes the view needs of a graph that is too large to be had whole. */
function wishOf({ task, open }: GraphAddress, evidence: EvidenceView | undefined): GraphWish {
  const island = open ?? evidence?.environment.id
  if (task === null) return island === undefined ? {} : { level: 'environments', open: island }
  if (evidence === undefined) return island === undefined ? {} : { level: 'environments', open: island }
  const also = neighboursBySize(evidence)
    .slice(0, ALSO)
    .map((one) => one.task.id)
  return { level: 'environments', open: evidence.environment.id, around: task, hops: 2, also: also.join(',') }
}

export function useGraph(run: string, address: GraphAddress) {
  const { task, batch } = address
  const base = useQuery(graphQuery(run))
  const isLarge = base.data?.level === 'environments'
  const asked = useQuery({ ...evidenceQuery(run, task ?? '', batch), enabled: isLarge && task !== null })
  const evidence = asked.data?.task.id === task ? asked.data : undefined
  const wish = isLarge ? wishOf(address, evidence) : {}
  const part = useQuery({ ...graphQuery(run, wish), enabled: base.data !== undefined })
  const stored = part.data ?? base.data
  const isStored = stored !== undefined && !part.isPlaceholderData
  const figures = useQuery({
    ...graphFiguresQuery(run, wish, batch),
    enabled: isStored,
    ...(batch === null && isStored ? { initialData: figuresIn(stored), initialDataUpdatedAt: part.dataUpdatedAt } : {}),
  })
  const moved = isStored ? figures.data : undefined
  const graph = useMemo(() => (stored === undefined ? undefined : withFigures(stored, moved)), [stored, moved])
  const noBatch = figures.error instanceof RequestError && figures.error.status === 404 ? batch : null
  return {
    graph,
    /** the nodes of the selection are on their way */
    isPending: isLarge && (asked.isFetching || part.isFetching) && asked.error === null,
    /** the address asks for a batch that there is not */
    noBatch,
    error: base.error ?? part.error ?? (noBatch === null ? figures.error : null),
    retry: () => {
      for (const query of [base, part, figures]) if (query.isError) void query.refetch()
    },
  }
}
