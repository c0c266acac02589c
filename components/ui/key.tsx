/* Owns a legend entry: the mark as drawn, then its word. Used only where marks have no end to be labelled at. */
import type { CSSProperties, ReactNode } from 'react'

type KeyMark = 'square' | 'line' | 'dash' | 'hatch' | 'ring' | 'disc'

export function Key({ colour, mark = 'square', children }: { colour: string; mark?: KeyMark; children: ReactNode }) {
  return (
    <span className="key" style={{ '--k': colour } as CSSProperties}>
      <i data-mark={mark} />
      {children}
    </span>
  )
}
