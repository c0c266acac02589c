'use client'
/* Owns where the numbers of Help come from: the run of the address or the newest one with a batch, once; it does not move while one reads. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useViewParam } from '@/components/shell/use-view-param'
import { batchesQuery, batchQuery } from '@/lib/client/batch'
import { runsQuery } from '@/lib/client/run'
import { evidenceQuery } from '@/lib/client/task'
import type { BatchSummary } from '@/lib/contract/batch'
import type { RunSummary } from '@/lib/contract/run'
import { EXAMPLE_STORY, type PickStory, pickStory, tellingPick } from '@/lib/view/pick-story'

const LOOKED_THROUGH = 20

/** Live before over, then the newest report. Null where no run has chosen a batch. */
function runToTell(runs: readonly RunSummary[], wanted: string | null): RunSummary | null {
  const chosen = runs.filter((run) => run.mode === 'choose' && run.batch > 0)
  const asked = chosen.find((run) => run.id === wanted)
  if (asked !== undefined) return asked
  const rank = (run: RunSummary) => `${run.status === 'live' ? 1 : 0} ${run.lastReportAt ?? run.createdAt}`
  return [...chosen].sort((a, b) => (rank(a) < rank(b) ? 1 : -1))[0] ?? null
}

/** The newest batch whose groups are all back, else the newest. */
function batchToTell(batches: readonly BatchSummary[]): number | null {
  const known = batches.filter((batch) => batch.superseded === false && batch.picks > 0)
  return (known.find((batch) => batch.back === batch.picks) ?? known[0])?.index ?? null
}

const STILL = { refetchOnWindowFocus: false, staleTime: Number.POSITIVE_INFINITY } as const

/** `story` null while it is looked for. `newest` is the run that pages are linked to. */
export function usePickStory(): { story: PickStory | null; newest: RunSummary | null } {
  const [wanted] = useViewParam('run')
  const runs = useQuery(runsQuery())
  const [run, setRun] = useState<RunSummary | null>(null)
  const found = runs.data === undefined ? null : runToTell(runs.data.items, wanted)
  useEffect(() => {
    setRun((kept) => kept ?? found)
  }, [found])
  const id = run?.id ?? ''
  const batches = useQuery({ ...batchesQuery(id, LOOKED_THROUGH), ...STILL, enabled: run !== null })
  const index = batches.data === undefined ? null : batchToTell(batches.data.items)
  const batch = useQuery({ ...batchQuery(id, index ?? 0), ...STILL, enabled: index !== null })
  const pick = batch.data === undefined ? null : tellingPick(batch.data)
  const evidence = useQuery({ ...evidenceQuery(id, pick?.task.id ?? '', index), ...STILL, enabled: pick !== null })
  const newest = run ?? runs.data?.items[0] ?? null
  const failed = runs.isError || batches.isError || batch.isError
  const empty = runs.data !== undefined && found === null && run === null
  const noBatch = batches.data !== undefined && index === null
  if (failed || empty || noBatch) return { story: EXAMPLE_STORY, newest }
  if (run === null || batch.data === undefined || pick === null || evidence.isPending) return { story: null, newest }
  return { story: pickStory(run, batch.data, pick, evidence.data ?? null), newest }
}
