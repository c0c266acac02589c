'use client'
/* Owns the alarms of a run: worst first, never more than three, then a count that opens the rest.
   Invariant: only a bad alarm that was not there at first is announced. */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { AlarmRow } from '@/components/ui/alarm-row'
import { Button, ButtonLink } from '@/components/ui/button'
import { alarmsQuery } from '@/lib/client/run'
import type { Alarm } from '@/lib/contract/overview'
import { tabPath } from './run-tabs'

const RANK = { bad: 0, warn: 1, info: 2 }
const SHOWN = 3

function Action({ run, alarm }: { run: string; alarm: Alarm }) {
  if (alarm.environment === null) return null
  return (
    <ButtonLink size="small" href={`${tabPath(run, 'environments')}?open=${encodeURIComponent(alarm.environment.id)}`}>
      See {alarm.environment.code}
    </ButtonLink>
  )
}

export function RunAlarms({ run }: { run: string }) {
  const { data } = useQuery(alarmsQuery(run))
  const [all, setAll] = useState(false)
  const first = useRef<Set<string> | null>(null)
  const alarms = (data?.items ?? [])
    .filter((alarm) => alarm.acknowledgedBy === null)
    .sort((a, b) => RANK[a.severity] - RANK[b.severity] || b.since - a.since)
  if (first.current === null && data !== undefined) first.current = new Set(alarms.map((alarm) => alarm.id))
  const shown = all === true ? alarms : alarms.slice(0, SHOWN)
  const more = alarms.length - SHOWN
  return (
    <section aria-label="Alarms">
      {shown.map((alarm) => (
        <AlarmRow
          key={alarm.id}
          level={alarm.severity}
          title={alarm.title}
          since={`since batch ${alarm.since}`}
          announce={alarm.severity === 'bad' && first.current?.has(alarm.id) === false}
          action={<Action run={run} alarm={alarm} />}
        >
          {alarm.sentence}
        </AlarmRow>
      ))}
      {more > 0 && (
        <div className="strip">
          <Button size="small" kind="quiet" onClick={() => setAll((open) => open !== true)}>
            {all === true ? 'Show the worst three' : `${more} more ${more === 1 ? 'alarm' : 'alarms'}`}
          </Button>
        </div>
      )}
    </section>
  )
}
