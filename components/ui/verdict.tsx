/* Owns the page's answer: one sentence with the number in it, one quieter line. Invariant: computed from data, and can be unfavourable. */
import type { ReactNode } from 'react'

export function Verdict({
  children,
  context,
  measure,
}: {
  children: ReactNode
  context?: ReactNode
  /** Hover on the sentence: what its number is taken over. */
  measure?: string
}) {
  return (
    <section className="verdict">
      <h2 className="wrap-anywhere" title={measure}>
        {children}
      </h2>
      {context !== undefined && <p>{context}</p>}
    </section>
  )
}
