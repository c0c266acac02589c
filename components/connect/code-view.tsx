'use client'
/* Owns code to read: mono, comments quieter, the lines a person adapts with a bar; the first of those is in sight. */
import { useEffect, useRef } from 'react'

export interface CodeLine {
  text: string
  adapt: boolean
  comment: boolean
}

/** Lines of context above the first barred one. */
const ABOVE = 80
/** A region that scrolls has to be reachable by keyboard. */
const SCROLLS = { tabIndex: 0 }

export function CodeView({ label, lines, height }: { label: string; lines: readonly CodeLine[]; height?: number }) {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const first = box.current?.querySelector<HTMLElement>('[data-adapt]')
    if (box.current !== null && first !== null && first !== undefined && height !== undefined)
      box.current.scrollTop = Math.max(0, first.offsetTop - ABOVE)
  }, [height])
  return (
    <div className="code-view">
      <section ref={box} className="code" style={{ maxHeight: height }} aria-label={label} {...SCROLLS}>
        <pre>
          {lines.map((line, i) => (
            <span
              key={`${String(i)} ${line.text}`}
              data-adapt={line.adapt ? '' : undefined}
              data-comment={line.comment ? '' : undefined}
            >
              {line.text === '' ? ' ' : line.text}
              {line.adapt && <i className="sr-only"> (yours to adapt)</i>}
            </span>
          ))}
        </pre>
      </section>
    </div>
  )
}
