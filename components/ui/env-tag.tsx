/* Owns the mark of an environment: a colour square and its three-letter code, always both. Colours come from lib/view/env-colour. */
import type { CSSProperties } from 'react'

export function EnvTag({ code, colour, name }: { code: string; colour: string; name?: string }) {
  return (
    <span className="env-tag" style={{ '--env': colour } as CSSProperties} title={name}>
      {code}
    </span>
  )
}
