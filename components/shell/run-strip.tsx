'use client'
/* Owns the strip of a run: the first words say whether the numbers below are fresh. Mounts the polling of the run.
   role=status announces changes of state; the seconds that pass are hidden from it. */
import { useQuery } from '@tanstack/react-query'
import { DraftNote } from '@/components/steering/draft-note'
import { StatusDot } from '@/components/ui/status-dot'
import { useLiveRun } from '@/lib/client/change'
import { runQuery } from '@/lib/client/run'
import type { RunSummary } from '@/lib/contract/run'
import { formatCount, formatFixed, formatSpan } from '@/lib/view/format'
import { runStatusWords, setupWords } from '@/lib/view/run-words'
import { useDeleted } from './use-deleted'
import { useAgo } from './use-now'

function Report({ run, lastReportAt }: { run: RunSummary; lastReportAt: string | null }) {
  const ago = useAgo(lastReportAt)
  if (lastReportAt === null) return <span>no report yet</span>
  if (run.status === 'silent') {
    return (
      <span>
        <b>no report for {ago ?? 'a while'}</b>
        {run.usualGapSeconds !== null && `, usual gap ${formatSpan(run.usualGapSeconds)}`}
      </span>
    )
  }
  return (
    <span>
      last report <b>{ago ?? 'just now'}</b>
      {ago !== null && ' ago'}
    </span>
  )
}

function Waiting({ failed, reason }: { failed: boolean; reason: string | null }) {
  const words = reason ?? (failed === true ? 'Server out of reach' : 'Asking the server')
  return (
    <div className="strip" role="status">
      <span className="strip-state">
        <StatusDot status={failed === true || reason !== null ? 'failed' : 'waiting'} />
        {words}
      </span>
    </div>
  )
}

export function RunStrip({ run }: { run: string }) {
  const { data, error } = useQuery(runQuery(run))
  const { changes, failed } = useLiveRun(run)
  const deleted = useDeleted(run)
  if (deleted !== null) return <Waiting failed={true} reason="Deleted" />
  if (data === undefined) return <Waiting failed={failed} reason={error?.message ?? null} />
  const policy = changes?.policyVersion ?? data.policyVersion
  return (
    <section className="strip" aria-label="State of the run">
      <span className="strip-state" role="status">
        <StatusDot status={failed ? 'failed' : data.status} beat={data.status === 'live' && !failed} />
        {failed ? 'Server out of reach, figures from before' : runStatusWords(data)}
      </span>
      {data.statusNote !== null && data.status !== 'silent' && data.status !== 'waiting' && (
        <span>{data.statusNote}</span>
      )}
      {data.status !== 'finished' && data.status !== 'waiting' && (
        <Report run={data} lastReportAt={changes?.lastReportAt ?? data.lastReportAt} />
      )}
      {policy !== null && (
        <span>
          policy <b>{formatFixed(policy, 0)}</b>
          {data.plannedSteps !== null && ` of ${formatFixed(data.plannedSteps, 0)}`}
        </span>
      )}
      {data.batch > 0 && data.batchSize !== null && (
        <span>
          batch <b>{formatFixed(data.batch, 0)}</b>: <b>{formatFixed(data.picksBack, 0)}</b> of{' '}
          {formatFixed(data.batchSize, 0)} picks back
        </span>
      )}
      {data.status === 'silent' && data.leasesOpen > 0 && <span>{formatCount(data.leasesOpen, 'lease')} open</span>}
      {data.status === 'finished' && <span>{formatCount(data.rollouts, 'rollout')}, read only</span>}
      {data.fallback !== null && (
        <span className="hide-phone" title={data.fallback.why ?? undefined}>
          ladder <b className={data.fallback.rung === 'full' ? '' : 'text-warn'}>{data.fallback.rung}</b>
        </span>
      )}
      <span className="hide-phone">{setupWords(data)}</span>
      {data.status !== 'finished' && data.status !== 'failed' && <DraftNote run={run} />}
    </section>
  )
}
