/* Owns the page's answer: one sentence with the number in it, one quieter line. Invariant: computed from data, and can be unfavourable. */
import type { ReactNode } from 'react'

export function Verdict({ children, context }: { children: ReactNode; context?: ReactNode }) {
  return (
    <section className="verdict">
      <h2>{children}</h2>
      {context !== undefined && <p>{context}</p>}
    </section>
  )
}
