'use client'
/* Owns the conversation: turns in order, calls folded, some sixty turns in the document at a time.
   Invariant: what a person opened stays open over refreshes; all of it is text. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import type { RolloutDetail } from '@/lib/contract/rollout-group'
import { formatCount, formatFixed } from '@/lib/view/format'
import { callsNamed, rolloutTurns, type TurnView } from '@/lib/view/rollout-turns'
import { oneLine } from '@/lib/view/tool-outcome'
import { CallBox, FoldBox } from './call-box'
import { LongText } from './long-text'

const AT_ONCE = 60
const LINE = 110

export interface Folds {
  /** what all boxes are unless one was pressed; null: each as it is at first */
  all: boolean | null
  pressed: ReadonlyMap<string, boolean>
}

const isOpen = (folds: Folds, key: string, first: boolean) => folds.pressed.get(key) ?? folds.all ?? first

function Turn({
  turn,
  folds,
  toggle,
  named,
  cutAt,
  whole,
}: {
  turn: TurnView
  folds: Folds
  toggle: (key: string, open: boolean) => void
  named: ReadonlySet<string>
  cutAt: number | null
  whole: () => void
}) {
  const { text } = turn
  const open = isOpen(folds, turn.key, false)
  const more = text !== null && cutAt !== null && text.length >= cutAt ? whole : null
  return (
    <li className="turn">
      <span className="turn-who">
        {oneLine(turn.who, 30)}
        {turn.turns !== null && <span className="block text-11">{turn.turns}</span>}
      </span>
      <div className="min-w-0">
        {text !== null && !turn.folded && <LongText text={text} whole={more} />}
        {text !== null && turn.folded && (
          <FoldBox
            open={open}
            onToggle={() => toggle(turn.key, !open)}
            line={
              <>
                <span className="call-args text-ink-2">{oneLine(text, LINE)}</span>
                <span className="call-outcome text-ink-3">{formatCount(text.length, 'character')}</span>
              </>
            }
          >
            {() => <LongText text={text} whole={more} />}
          </FoldBox>
        )}
        {turn.calls.map((call) => {
          const shown = isOpen(folds, call.key, named.has(call.key))
          return (
            <CallBox
              key={call.key}
              call={call}
              open={shown}
              onToggle={() => toggle(call.key, !shown)}
              named={named.has(call.key)}
              cutAt={cutAt}
              whole={whole}
            />
          )
        })}
      </div>
    </li>
  )
}

/** Grows the list when its end comes near. */
function End({ onNear }: { onNear: () => void }) {
  const mark = useRef<HTMLDivElement>(null)
  const near = useRef(onNear)
  useEffect(() => {
    near.current = onNear
  })
  useEffect(() => {
    if (mark.current === null) return
    const watch = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) near.current()
      },
      { rootMargin: '600px' },
    )
    watch.observe(mark.current)
    return () => watch.disconnect()
  }, [])
  return <div ref={mark} />
}

export function ReaderTurns({
  rollout,
  messages,
  folds,
  onFolds,
  cutAt,
  whole,
}: {
  rollout: RolloutDetail
  messages: readonly unknown[]
  folds: Folds
  onFolds: (folds: Folds) => void
  cutAt: number | null
  whole: () => void
}) {
  const broken = rollout.status.endsWith('_error')
  const turns = useMemo(() => rolloutTurns(messages, broken), [messages, broken])
  const [span, setSpan] = useState({ from: 0, to: AT_ONCE })
  const named = useMemo(() => {
    const failed = rollout.rewardComponents.filter(({ value }) => value !== null && value <= 0)
    return callsNamed(
      turns,
      failed.flatMap(({ message }) => message ?? []),
    )
  }, [rollout.rewardComponents, turns])
  const toggle = (key: string, open: boolean) => onFolds({ ...folds, pressed: new Map(folds.pressed).set(key, open) })
  const shown = turns.slice(span.from, span.to)
  const verdicts = rollout.rewardComponents.filter(({ message }) => message !== undefined && message !== '')
  return (
    <>
      {turns.length > AT_ONCE && (
        <p className="flex flex-wrap items-center gap-2 py-1 text-12 text-ink-3">
          Turns {formatFixed(span.from + 1, 0)} to {formatFixed(Math.min(span.to, turns.length), 0)} of{' '}
          {formatFixed(turns.length, 0)}
          {span.from > 0 && (
            <Button
              size="small"
              kind="quiet"
              onClick={() => setSpan({ ...span, from: Math.max(0, span.from - AT_ONCE) })}
            >
              Show {formatFixed(Math.min(AT_ONCE, span.from), 0)} earlier
            </Button>
          )}
          {span.to < turns.length && (
            <Button
              size="small"
              kind="quiet"
              onClick={() => setSpan({ from: Math.max(0, turns.length - AT_ONCE), to: turns.length })}
            >
              Show the last {AT_ONCE}
            </Button>
          )}
        </p>
      )}
      <ol className="turns" aria-label="Messages">
        {shown.map((turn) => (
          <Turn key={turn.key} turn={turn} folds={folds} toggle={toggle} named={named} cutAt={cutAt} whole={whole} />
        ))}
        {span.to >= turns.length && verdicts.length > 0 && (
          <li className="turn">
            <span className="turn-who">verifier</span>
            <div className="min-w-0">
              {verdicts.map(({ name, message }) => (
                <LongText key={name} text={`${name}: ${message ?? ''}`} whole={null} />
              ))}
            </div>
          </li>
        )}
        {span.to >= turns.length && broken && (
          <li className="turn">
            <span className="turn-who" />
            <p className="text-ink-3">The rollout ends here.</p>
          </li>
        )}
      </ol>
      {span.to < turns.length && (
        <End key={span.to} onNear={() => setSpan((now) => ({ ...now, to: now.to + AT_ONCE }))} />
      )}
    </>
  )
}
