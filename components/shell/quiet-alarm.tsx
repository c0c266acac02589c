'use client'
/* Owns keeping one alarm quiet, or telling it again. It holds for everybody, so it says for how long and is kept in the audit. */
import { useQueryClient } from '@tanstack/react-query'
import { useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { useToast } from '@/components/ui/toast'
import { alarmsQuery } from '@/lib/client/run'
import type { QuietAlarm } from '@/lib/contract/action'
import type { Alarm } from '@/lib/contract/overview'

const SPANS = [
  { batches: 10, word: 'Quiet for 10 batches' },
  { batches: 50, word: 'Quiet for 50 batches' },
  { batches: null, word: 'Quiet until it is over' },
]

export function QuietMenu({ run, alarm, quietAlarm }: { run: string; alarm: Alarm; quietAlarm: QuietAlarm }) {
  const client = useQueryClient()
  const toast = useToast()
  const [busy, start] = useTransition()
  const send = (batches: number | null) =>
    start(async () => {
      const answer = await quietAlarm(run, alarm.id, { batches })
      if (answer.ok === false) toast({ tone: 'bad', text: answer.message })
      await client.invalidateQueries({ queryKey: alarmsQuery(run).queryKey })
    })
  if (alarm.acknowledgedBy !== null) {
    return (
      <Button size="small" disabled={busy} onClick={() => send(0)}>
        Tell again
      </Button>
    )
  }
  return (
    <Popover
      label={`Keep quiet: ${alarm.title}`}
      trigger={<Icon name="clock" />}
      triggerClass="panel-act"
      className="menu"
      align="end"
    >
      {(close) =>
        SPANS.map(({ batches, word }) => (
          <button
            key={word}
            type="button"
            disabled={busy}
            onClick={() => {
              send(batches)
              close()
            }}
          >
            {word}
          </button>
        ))
      }
    </Popover>
  )
}
