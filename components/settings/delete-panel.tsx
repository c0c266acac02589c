'use client'
/* Owns deleting: the run by its typed name, or its trajectory text alone. What goes and what stays is counted first. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { FieldError } from '@/components/ui/field-error'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { useToast } from '@/components/ui/toast'
import { reached } from '@/lib/client/reached'
import { runQuery } from '@/lib/client/run'
import { diskQuery } from '@/lib/client/settings'
import type { DeleteRun, DropText } from '@/lib/contract/action'
import type { DiskUse } from '@/lib/contract/disk'
import { formatBytes } from '@/lib/view/bytes'
import { formatCount } from '@/lib/view/format'
import { DeleteRunBox } from './delete-run-box'
import { useMayWrite, WriteReason } from './may-write'

const HEIGHT = 230

function TextOnly({ run, disk, may, dropText }: { run: string; disk: DiskUse; may: boolean; dropText: DropText }) {
  const client = useQueryClient()
  const toast = useToast()
  const [asking, setAsking] = useState<boolean>(false)
  const [busy, setBusy] = useState<boolean>(false)
  const [error, setError] = useState<string | null>(null)
  const size = formatBytes(disk.parts.find(({ kind }) => kind === 'text')?.bytes, 'n/a')
  const send = async () => {
    setBusy(true)
    const answer = await reached(dropText(run))
    setBusy(false)
    if (answer.ok === false) return setError(answer.message)
    setAsking(false)
    toast({
      tone: 'ok',
      text: `Freed ${formatBytes(answer.value.bytes, 'n/a')}: the text of ${formatCount(answer.value.rollouts, 'rollout')}.`,
    })
    await client.invalidateQueries({ queryKey: ['settings', run] })
  }
  return (
    <div className="mt-[10px] flex items-center gap-2">
      <span className="text-ink-2">
        {disk.counts.texts === 0 ? 'No trajectory text is stored.' : `Only the trajectory text, ${size}`}
      </span>
      <span className="flex-1" />
      <Button size="small" kind="danger" disabled={!may || disk.counts.texts === 0} onClick={() => setAsking(true)}>
        Delete text
      </Button>
      <Dialog
        open={asking}
        onClose={() => {
          setAsking(false)
          setError(null)
        }}
        title={`Delete the text of ${formatCount(disk.counts.texts, 'rollout')}?`}
      >
        <p className="mt-[6px] mb-3 text-ink-2">
          {size} of messages go and cannot be brought back, failures and errors too. Rewards, statistics, predictions
          and picks stay as they are, and a trainer notices nothing.
        </p>
        <FieldError>{error}</FieldError>
        <div className="mt-2 flex justify-end gap-2">
          <Button onClick={() => setAsking(false)}>Keep it</Button>
          <Button kind="danger" disabled={busy === true} onClick={() => void send()}>
            Delete {size} of text
          </Button>
        </div>
      </Dialog>
    </div>
  )
}

export function DeletePanel({ run, deleteRun, dropText }: { run: string; deleteRun: DeleteRun; dropText: DropText }) {
  const detail = useQuery(runQuery(run))
  const disk = useQuery(diskQuery(run))
  const { may, reason } = useMayWrite()
  const error = detail.error ?? disk.error
  return (
    <Panel title="Delete" sub="cannot be undone" span={6}>
      {(detail.data === undefined || disk.data === undefined) &&
        (error === null ? (
          <LoadingState height={HEIGHT} />
        ) : (
          <ErrorState title="Could not count what would go" height={HEIGHT} onRetry={() => void disk.refetch()}>
            {error.message}
          </ErrorState>
        ))}
      {detail.data !== undefined && disk.data !== undefined && (
        <div style={{ minHeight: HEIGHT }}>
          <DeleteRunBox detail={detail.data} disk={disk.data} may={may} deleteRun={deleteRun} />
          <TextOnly run={run} disk={disk.data} may={may} dropText={dropText} />
          <WriteReason reason={reason} />
        </div>
      )}
    </Panel>
  )
}
