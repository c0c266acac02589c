'use client'
/* Owns pausing and resuming a run from its head: asks for the reason, which stands beside the status then. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Icon } from '@/components/ui/icon'
import { useToast } from '@/components/ui/toast'
import { reached } from '@/lib/client/reached'
import { runQuery } from '@/lib/client/run'
import type { PatchRun } from '@/lib/contract/action'
import type { RunPatch } from '@/lib/contract/run'
import { PAUSE_EVENT } from './overlays'
import { useMayOperate } from './use-may-operate'

export function RunPause({ run, patchRun }: { run: string; patchRun: PatchRun }) {
  const { data } = useQuery(runQuery(run))
  const client = useQueryClient()
  const toast = useToast()
  const [asking, setAsking] = useState(false)
  const [note, setNote] = useState('')
  // what the run was when a change was sent: once the page shows the other, the next press counts again
  const [sentAs, setSentAs] = useState<'paused' | 'going' | null>(null)
  const mayOperate = useMayOperate()
  const press = useRef<() => void>(() => {})
  useEffect(() => {
    const onPause = () => press.current()
    window.addEventListener(PAUSE_EVENT, onPause)
    return () => window.removeEventListener(PAUSE_EVENT, onPause)
  }, [])
  if (mayOperate !== true || data === undefined || data.status === 'finished' || data.status === 'failed') return null
  const paused = data.status === 'paused'
  const shown = paused ? 'paused' : 'going'
  const busy = sentAs === shown
  const send = async (patch: RunPatch) => {
    setSentAs(shown)
    const answer = await reached(patchRun(run, patch))
    if (answer.ok === false) toast({ tone: 'bad', text: answer.message })
    setAsking(false)
    setNote('')
    await client.invalidateQueries({ queryKey: ['run', run] })
    setSentAs((sent) => (sent === shown ? null : sent))
    await client.invalidateQueries({ queryKey: ['runs'] })
  }
  const toggle = () => (busy ? undefined : paused ? void send({ status: 'live' }) : setAsking(true))
  press.current = toggle
  return (
    <>
      <button
        type="button"
        className="panel-act"
        aria-disabled={busy}
        aria-label={paused ? 'Resume the run' : 'Pause the run'}
        title={paused ? 'Resume the run' : 'Pause the run'}
        onClick={toggle}
      >
        <Icon name={paused ? 'play' : 'pause'} />
      </button>
      <Dialog open={asking} onClose={() => setAsking(false)} title={`Pause ${data.name}?`}>
        <p className="mt-[6px] mb-[10px] text-ink-2">
          Requests get an empty batch and a retry time until it is resumed. Open leases may finish.
        </p>
        <label className="field mb-3">
          <span className="field-label">Why, in a few words</span>
          <input className="input" maxLength={200} value={note} onChange={(event) => setNote(event.target.value)} />
        </label>
        <div className="flex justify-end gap-2">
          <Button onClick={() => setAsking(false)}>Cancel</Button>
          <Button
            kind="primary"
            disabled={busy}
            onClick={() =>
              void send(note.trim() === '' ? { status: 'paused' } : { status: 'paused', note: note.trim() })
            }
          >
            Pause
          </Button>
        </div>
      </Dialog>
    </>
  )
}
