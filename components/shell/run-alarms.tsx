'use client'
/* Owns the alarms of a run: worst first, never more than three, then a count that opens the rest and those kept quiet.
   Invariant: only a bad alarm that was not there at first is announced. */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { AlarmRow } from '@/components/ui/alarm-row'
import { Button, ButtonLink } from '@/components/ui/button'
import { alarmsQuery } from '@/lib/client/run'
import type { QuietAlarm } from '@/lib/contract/action'
import type { Alarm } from '@/lib/contract/overview'
import { QuietMenu } from './quiet-alarm'
import { tabPath } from './run-tabs'
import { useMayOperate } from './use-may-operate'

const RANK = { bad: 0, warn: 1, info: 2 }
const SHOWN = 3

function Action({ run, alarm, quietAlarm }: { run: string; alarm: Alarm; quietAlarm: QuietAlarm }) {
  const mayOperate = useMayOperate()
  return (
    <span className="flex items-center justify-end gap-[6px]">
      {alarm.environment !== null && (
        <ButtonLink
          size="small"
          href={`${tabPath(run, 'environments')}?open=${encodeURIComponent(alarm.environment.id)}`}
        >
          See {alarm.environment.code}
        </ButtonLink>
      )}
      {mayOperate === true && <QuietMenu run={run} alarm={alarm} quietAlarm={quietAlarm} />}
    </span>
  )
}

const sinceWords = ({ since, acknowledgedBy, quietUntil }: Alarm) =>
  acknowledgedBy === null
    ? `since batch ${since}`
    : `kept quiet by ${acknowledgedBy}${quietUntil === null ? '' : ` to batch ${quietUntil}`}`

export function RunAlarms({ run, quietAlarm }: { run: string; quietAlarm: QuietAlarm }) {
  const { data } = useQuery(alarmsQuery(run))
  const [withQuiet, setWithQuiet] = useState(false)
  const [all, setAll] = useState(false)
  const first = useRef<Set<string> | null>(null)
  const told = (data?.items ?? []).filter((alarm) => alarm.acknowledgedBy === null)
  const quiet = (data?.items ?? []).filter((alarm) => alarm.acknowledgedBy !== null)
  const alarms = told.sort((a, b) => RANK[a.severity] - RANK[b.severity] || b.since - a.since)
  if (first.current === null && data !== undefined) first.current = new Set(alarms.map((alarm) => alarm.id))
  const shown = [...(all === true ? alarms : alarms.slice(0, SHOWN)), ...(withQuiet === true ? quiet : [])]
  const more = alarms.length - SHOWN
  return (
    <section aria-label="Alarms">
      {shown.map((alarm) => (
        <AlarmRow
          key={alarm.id}
          level={alarm.severity}
          title={alarm.title}
          since={sinceWords(alarm)}
          announce={alarm.severity === 'bad' && first.current?.has(alarm.id) === false}
          action={<Action run={run} alarm={alarm} quietAlarm={quietAlarm} />}
        >
          {alarm.sentence}
        </AlarmRow>
      ))}
      {(more > 0 || quiet.length > 0) && (
        <div className="strip">
          {more > 0 && (
            <Button size="small" kind="quiet" onClick={() => setAll((open) => open !== true)}>
              {all === true ? 'Show the worst three' : `${more} more ${more === 1 ? 'alarm' : 'alarms'}`}
            </Button>
          )}
          {quiet.length > 0 && (
            <Button
              size="small"
              kind="quiet"
              aria-expanded={withQuiet}
              onClick={() => setWithQuiet((open) => open !== true)}
            >
              {withQuiet === true ? 'Hide those kept quiet' : `${quiet.length} kept quiet`}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}
