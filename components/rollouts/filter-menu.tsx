'use client'
/* Owns one filter: a button that says what it is set to, and the choices under it. */
import type { ReactNode } from 'react'
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'

export interface Choice {
  value: string
  word: ReactNode
}

export function FilterMenu({
  name,
  all,
  value,
  said,
  spoken,
  choices,
  onChoose,
  before,
}: {
  /** what is filtered: "status" */
  name: string
  /** the word for no filter: "all 5" */
  all: string
  value: string | null
  /** what stands for the value; null where there is none */
  said: ReactNode
  /** the same in words */
  spoken: string | null
  choices: readonly Choice[]
  onChoose: (value: string | null) => void
  /** stands above the choices, such as a search */
  before?: (close: () => void) => ReactNode
}) {
  return (
    <Popover
      label={`${name} ${spoken ?? all}, filter`}
      trigger={
        <>
          <span className="text-ink-2">{`${name} `}</span>
          <b className="max-w-[18ch] truncate font-medium">{said ?? all}</b>
          <Icon name="down" className="text-ink-3" />
        </>
      }
      triggerClass="btn filter"
      className="menu filter-menu"
    >
      {(close) => (
        <>
          {before?.(close)}
          {[{ value: null, word: all }, ...choices].map((choice) => (
            <button
              key={choice.value ?? ''}
              type="button"
              aria-pressed={choice.value === value}
              onClick={() => {
                onChoose(choice.value)
                close()
              }}
            >
              <Icon name="check" className={choice.value === value ? '' : 'invisible'} />
              {choice.word}
            </button>
          ))}
        </>
      )}
    </Popover>
  )
}
