'use client'
/* Owns a folded box of the reader: one line that opens. A tool call is one, so are a system message and an error's text. */
import { type ReactNode, useId } from 'react'
import { Icon } from '@/components/ui/icon'
import { formatFixed } from '@/lib/view/format'
import type { CallView } from '@/lib/view/rollout-turns'
import { indented, oneLine } from '@/lib/view/tool-outcome'
import { LongText } from './long-text'

const LINE = 220

export function FoldBox({
  line,
  open,
  onToggle,
  fail = false,
  children,
}: {
  line: ReactNode
  open: boolean
  onToggle: () => void
  fail?: boolean
  children: () => ReactNode
}) {
  const id = useId()
  return (
    <div className="call" data-fail={fail === true ? '' : undefined}>
      <button type="button" className="call-line" aria-expanded={open} aria-controls={id} onClick={onToggle}>
        <Icon name={open ? 'down' : 'right'} className="flex-none text-ink-3" />
        {line}
      </button>
      <div id={id} className="call-body" hidden={!open}>
        {open && children()}
      </div>
    </div>
  )
}

export function CallBox({
  call,
  open,
  onToggle,
  named,
  cutAt,
  whole,
}: {
  call: CallView
  open: boolean
  onToggle: () => void
  /** the verifier's message names a value of it */
  named: boolean
  /** length at which texts were cut on their way, null where they are whole */
  cutAt: number | null
  whole: () => void
}) {
  const fail = call.failed || named
  const words = named && !call.failed ? 'the verifier names a value here' : call.outcome
  const more = (text: string) => (cutAt !== null && text.length >= cutAt ? whole : null)
  return (
    <FoldBox
      open={open}
      onToggle={onToggle}
      fail={fail}
      line={
        <>
          <code>{oneLine(call.name, 60)}</code>
          <span className="call-args">{open ? '' : oneLine(call.args, LINE)}</span>
          <span className={fail ? 'call-outcome text-bad' : 'call-outcome text-ink-2'}>
            {words}
            {call.seconds !== null && `, ${formatFixed(call.seconds, 1)}\u00a0s`}
          </span>
        </>
      }
    >
      {() => (
        <>
          <h4>arguments</h4>
          {call.args === '' ? (
            <p className="text-12 text-ink-3">none</p>
          ) : (
            <LongText code text={indented(call.args)} whole={more(call.args)} />
          )}
          <h4>result</h4>
          {call.result === null ? (
            <p className="text-12 text-ink-3">no answer was sent</p>
          ) : (
            <LongText code text={indented(call.result)} whole={more(call.result)} />
          )}
        </>
      )}
    </FoldBox>
  )
}
