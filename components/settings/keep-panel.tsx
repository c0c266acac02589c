'use client'
/* Owns which trajectory text is kept: the rule in force, a draft of another in the address, what that frees, applying it.
   Invariant: what goes is said in numbers before the button that does it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useViewParam } from '@/components/shell/use-view-param'
import { Button } from '@/components/ui/button'
import { FieldError } from '@/components/ui/field-error'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { useToast } from '@/components/ui/toast'
import { reached } from '@/lib/client/reached'
import { keepQuery } from '@/lib/client/settings'
import type { ChangeKeep } from '@/lib/contract/action'
import type { KeepRule, KeepState } from '@/lib/contract/keep'
import { formatBytes } from '@/lib/view/bytes'
import { formatCount, formatTime } from '@/lib/view/format'
import { decodeRule, encodeRule, keepWords, sameRule } from '@/lib/view/settings-words'
import { KeepRuleFields } from './keep-rule-fields'
import { useMayWrite, WriteReason } from './may-write'

const HEIGHT = 196

function Frees({ state, changed, fresh }: { state: KeepState; changed: boolean; fresh: boolean }) {
  if (!fresh) return <span className="text-ink-3">Adding up what it frees</span>
  const { rollouts, bytes } = state.frees
  if (rollouts > 0) {
    return (
      <>
        <span className="font-medium whitespace-nowrap text-accent-text">
          Frees {formatBytes(bytes, 'n/a')} {changed ? 'at once' : 'tonight'}
        </span>
        <span className="text-12 text-ink-2">text of {formatCount(rollouts, 'rollout')}</span>
      </>
    )
  }
  if (changed) return <span className="text-ink-2">Frees nothing now.</span>
  const when = state.sweptAt === null ? 'not yet' : formatTime(state.sweptAt, 'not yet')
  return <span className="text-12 text-ink-3">Nothing to drop; last applied: {when}.</span>
}

function KeepForm({ run, change, inForce }: { run: string; change: ChangeKeep; inForce: KeepState }) {
  const [written, write] = useViewParam('keep')
  const client = useQueryClient()
  const toast = useToast()
  const { may, reason } = useMayWrite()
  const [busy, setBusy] = useState<boolean>(false)
  const [error, setError] = useState<string | null>(null)
  const drafted = decodeRule(written)
  const changed = drafted !== null && !sameRule(drafted, inForce.rule)
  const rule = drafted ?? inForce.rule
  const preview = useQuery({ ...keepQuery(run, changed ? drafted : null) })
  const edit = (next: KeepRule) => {
    setError(null)
    write(sameRule(next, inForce.rule) && encodeRule(next) === encodeRule(inForce.rule) ? null : encodeRule(next))
  }
  const apply = async () => {
    setBusy(true)
    const answer = await reached(change(run, rule))
    setBusy(false)
    if (answer.ok === false) return setError(answer.message)
    const { rollouts, bytes } = answer.value.freed
    toast({
      tone: 'ok',
      text:
        rollouts === 0
          ? `${keepWords(rule)}: nothing had to go.`
          : `Freed ${formatBytes(bytes, 'n/a')}: the text of ${formatCount(rollouts, 'rollout')}.`,
    })
    await client.invalidateQueries({ queryKey: ['settings', run] })
    write(null)
  }
  return (
    <div style={{ minHeight: HEIGHT }}>
      <KeepRuleFields
        rule={rule}
        inForce={inForce.rule}
        policyVersion={inForce.policyVersion}
        disabled={!may}
        onChange={edit}
      />
      <div className="mt-[10px] flex min-h-[28px] flex-wrap items-center gap-2" aria-live="polite">
        <Frees
          state={preview.data ?? inForce}
          changed={changed}
          fresh={preview.data !== undefined && !preview.isPlaceholderData}
        />
        <span className="flex-1" />
        {changed && may && (
          <>
            <Button kind="quiet" disabled={busy === true} onClick={() => write(null)}>
              Discard
            </Button>
            <Button disabled={busy === true || preview.isPlaceholderData} onClick={() => void apply()}>
              {keepWords(rule)}
            </Button>
          </>
        )}
      </div>
      <FieldError>{error ?? preview.error?.message}</FieldError>
      <WriteReason reason={reason} />
    </div>
  )
}

export function KeepPanel({ run, change }: { run: string; change: ChangeKeep }) {
  const { data, error, refetch } = useQuery(keepQuery(run, null))
  return (
    <Panel title="Keep" sub="applied every night; statistics and predictions never change by it" span={6}>
      {data === undefined && error === null && <LoadingState height={HEIGHT} />}
      {data === undefined && error !== null && (
        <ErrorState title="Could not load what is kept" height={HEIGHT} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data !== undefined && <KeepForm run={run} change={change} inForce={data} />}
    </Panel>
  )
}
