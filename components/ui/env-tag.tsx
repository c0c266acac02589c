/* Owns the mark of an environment: a colour square and its three-letter code, always both. */
import type { CSSProperties } from 'react'
import { envColour } from '@/lib/view/env-colour'

export function EnvTag({ environment }: { environment: { code: string; name: string; hue: number | null } }) {
  return (
    <span className="env-tag" style={{ '--env': envColour(environment.hue) } as CSSProperties} title={environment.name}>
      {environment.code}
    </span>
  )
}
