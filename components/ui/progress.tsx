/* Owns the bar of long work. `done` of `total`; unknown totals show no bar end. Says count, rate and time left in the line below. */
import type { ReactNode } from 'react'

export function Progress({
  title,
  done,
  total,
  line,
  action,
}: {
  title: string
  done: number
  total: number | null
  line: ReactNode
  action?: ReactNode
}) {
  const part = total === null || total <= 0 ? null : Math.min(1, done / total)
  return (
    <div>
      <div className="flex items-center gap-2">
        <span className="font-medium">{title}</span>
        <span className="flex-1" />
        {action}
      </div>
      <div
        className="progress my-[6px]"
        role="progressbar"
        aria-label={title}
        aria-valuenow={part === null ? undefined : Math.round(part * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        {part !== null && <i style={{ width: `${part * 100}%` }} />}
      </div>
      <p className="text-12 text-ink-2">{line}</p>
    </div>
  )
}
