'use client'
/* Owns text of any length: one window of it is in the document, with ways to the others. Invariant: it is text, never markup. */
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { formatFixed } from '@/lib/view/format'
import { textWindow } from '@/lib/view/text-window'

export function LongText({
  text,
  code = false,
  whole,
}: {
  text: string
  /** in the type of code, as arguments and results are */
  code?: boolean
  /** asks for all of a text that was cut on its way; null where it is all there */
  whole: (() => void) | null
}) {
  const [at, setAt] = useState(0)
  const { from, to, count } = textWindow(text.length, at)
  const part = count === 1 ? text : text.slice(from, to)
  const last = to >= text.length
  return (
    <>
      {code === true ? <pre>{part}</pre> : <p className="turn-text">{part}</p>}
      {(count > 1 || whole !== null) && (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1 text-12 text-ink-3">
          <span>
            Characters {formatFixed(from + 1, 0)} to {formatFixed(to, 0)}
            {whole === null ? ` of ${formatFixed(text.length, 0)}` : ', cut on its way here'}
          </span>
          {from > 0 && (
            <Button size="small" kind="quiet" onClick={() => setAt(at - 1)}>
              Previous
            </Button>
          )}
          {!last && (
            <Button size="small" kind="quiet" onClick={() => setAt(at + 1)}>
              Next
            </Button>
          )}
          {!last && (
            <Button size="small" kind="quiet" onClick={() => setAt(count - 1)}>
              Last
            </Button>
          )}
          {last && whole !== null && (
            <Button size="small" kind="quiet" onClick={whole}>
              Load all of it
            </Button>
          )}
        </p>
      )}
    </>
  )
}
