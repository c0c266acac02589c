/* Owns the list of steps or checks: a ring with a number, tick or cross, a title, a line, a time, and what opens below.
   Invariant: the state is said in words too, for who does not see the ring. */
import type { ReactNode } from 'react'
import { Icon } from './icon'

/** `none`: it did not come to its end, and nothing is wrong */
type CheckState = 'ok' | 'bad' | 'run' | 'wait' | 'none'

export interface Check {
  key: string
  title: string
  state: CheckState
  text: ReactNode
  /** the state in a word, where it has one of its own */
  said?: string
  /** right of the title */
  when?: string
  more?: ReactNode
}

const SAID: Record<CheckState, string> = {
  ok: 'passed',
  bad: 'failed',
  run: 'under way',
  wait: 'waiting',
  none: 'not done',
}

const MARKS = { ok: 'check', bad: 'close', none: 'minus' } as const

function Mark({ state, place }: { state: CheckState; place: number }) {
  return state === 'run' || state === 'wait' ? place : <Icon name={MARKS[state]} />
}

export function CheckList({ label, checks }: { label: string; checks: readonly Check[] }) {
  return (
    <ol className="checks" aria-label={label}>
      {checks.map((check, i) => (
        <li key={check.key} data-state={check.state}>
          <span className="check-ring" aria-hidden="true">
            <Mark state={check.state} place={i + 1} />
          </span>
          <div>
            <span className="check-title">{check.title}</span>
            <span className="sr-only">, {check.said ?? SAID[check.state]}</span>
            <p>{check.text}</p>
          </div>
          <span className="check-when">{check.when}</span>
          {check.more !== undefined && check.more !== null && <div className="check-more">{check.more}</div>}
        </li>
      ))}
    </ol>
  )
}
