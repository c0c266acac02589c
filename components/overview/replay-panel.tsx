'use client'
/* Owns the question "what would EnvSched have chosen on this history": asking it, its progress, its answer.
   Invariant: each state says what can be done next; the answer stands until it is asked again. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useTransition } from 'react'
import { useMayOperate } from '@/components/shell/use-may-operate'
import { Button } from '@/components/ui/button'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState, NothingState } from '@/components/ui/panel-state'
import { Progress } from '@/components/ui/progress'
import { useToast } from '@/components/ui/toast'
import { replayAddress, replayQuery } from '@/lib/client/replay'
import type { CancelReplay, StartReplay } from '@/lib/contract/action'
import type { ReplayJob, ReplayReport } from '@/lib/contract/replay'
import { formatCount } from '@/lib/view/format'
import { replayLine, replayTwin } from '@/lib/view/replay-words'
import { ReplayResult } from './replay-result'

const HEIGHT = 132

export interface ReplayActions {
  start: StartReplay
  cancel: CancelReplay
}

const UNREACHED = 'The server cannot be reached; nothing was started. Try again.'

function Ask({ again, ask, busy }: { again: boolean; ask: () => void; busy: boolean }) {
  return (
    <Button size="small" icon={busy === true ? 'clock' : 'play'} disabled={busy} onClick={ask}>
      {again ? 'Replay again' : 'Replay this history'}
    </Button>
  )
}

function Idle({ job, children }: { job: ReplayJob; children: ReactNode }) {
  const stopped = job.state === 'cancelled'
  return (
    <NothingState
      height={HEIGHT}
      title={stopped ? `Cancelled after ${formatCount(job.done, 'replay')}` : 'Not asked yet'}
      action={children}
    >
      The reported groups are offered again, policy by policy: to uniform choice, to simple schedulers and to EnvSched,
      each told only what it picks. Nothing of the run changes.
    </NothingState>
  )
}

function Since({ job, children }: { job: ReplayJob; children: ReactNode }) {
  if (job.rolloutsSince === 0) return null
  return (
    <p className="mt-2 flex items-center gap-2 text-12 text-ink-2">
      {formatCount(job.rolloutsSince, 'rollout')} came after this replay. {children}
    </p>
  )
}

export function ReplayPanel({ run, actions }: { run: string; actions: ReplayActions }) {
  const client = useQueryClient()
  const toast = useToast()
  const [busy, act] = useTransition()
  const mayOperate = useMayOperate()
  const { data: job, error, refetch } = useQuery(replayQuery(run))
  const send = (action: StartReplay | CancelReplay) =>
    act(async () => {
      const answer = await action(run).catch(() => null)
      if (answer === null) toast({ tone: 'bad', text: UNREACHED })
      else if (answer.ok) client.setQueryData(replayQuery(run).queryKey, answer.value)
      else toast({ tone: 'bad', text: answer.message })
    })
  const report: ReplayReport | null = job?.report ?? null
  const ask =
    mayOperate === false ? (
      <span className="text-12 text-ink-2">A token of scope operate may start it.</span>
    ) : (
      <Ask again={report !== null || job?.state === 'cancelled'} ask={() => send(actions.start)} busy={busy} />
    )
  return (
    <Panel
      title="What EnvSched would have chosen on this history"
      sub="a replay of the reported groups"
      twin={report === null ? undefined : replayTwin(report)}
      api={`/runs/${run}/replay`}
      isTable
    >
      {job === undefined && error === null && <LoadingState height={HEIGHT} />}
      {job === undefined && error !== null && (
        <ErrorState height={HEIGHT} title="Could not load the replay" onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {job?.state === 'running' && (
        <div className="inset p-4" style={{ minHeight: HEIGHT }}>
          <Progress
            title="Replaying the history"
            done={job.done}
            total={job.total}
            line={replayLine(job)}
            action={
              mayOperate === true && (
                <Button size="small" disabled={busy} onClick={() => send(actions.cancel)}>
                  Cancel
                </Button>
              )
            }
          />
        </div>
      )}
      {(job?.state === 'not_yet' || job?.state === 'cancelled') && <Idle job={job}>{ask}</Idle>}
      {job?.state === 'impossible' && (
        <NothingState
          height={HEIGHT}
          title="This history cannot be replayed"
          action={job.rolloutsSince > 0 ? ask : undefined}
        >
          {job.why}
        </NothingState>
      )}
      {job?.state === 'failed' && (
        <ErrorState height={HEIGHT} title="The replay failed" onRetry={() => send(actions.start)}>
          {job.why}
        </ErrorState>
      )}
      {job?.state === 'done' && report !== null && (
        <>
          <ReplayResult report={report} address={replayAddress(run)} name={`replay-${run}.json`} />
          <Since job={job}>{ask}</Since>
        </>
      )}
    </Panel>
  )
}
