'use client'
/* Owns the five faces of a panel without data: nothing, not yet, zero, error, loading. Invariant: they never look alike, and the panel keeps its height. */
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button'
import { Icon } from './icon'

type Face = { title: string; children?: ReactNode; action?: ReactNode; height?: number }

/** Looked for and not there: say what was looked for and how to widen it. */
export function NothingState({ title, children, action, height }: Face) {
  return (
    <div className="inset state" style={{ minHeight: height }}>
      <h4>{title}</h4>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  )
}

/** Awaited: say what and how far along. */
export function NotYetState({
  title = 'Not yet',
  children,
  height,
}: Omit<Face, 'title' | 'action'> & { title?: string }) {
  return (
    <div className="inset state" style={{ minHeight: height }}>
      <Icon name="clock" />
      <h4>{title}</h4>
      {children !== undefined && <p>{children}</p>}
    </div>
  )
}

/** Zero is an answer, as large as any other figure. */
export function ZeroState({ title, children, height }: Omit<Face, 'action'>) {
  return (
    <div className="inset state" style={{ minHeight: height }}>
      <b className="text-18">0</b>
      <h4>{title}</h4>
      {children !== undefined && <p>{children}</p>}
    </div>
  )
}

/** What failed and what is still valid. */
export function ErrorState({
  title = 'Could not load',
  children,
  onRetry,
  height,
}: Omit<Face, 'title' | 'action'> & { title?: string; onRetry?: () => void }) {
  return (
    <div className="inset state" role="alert" style={{ minHeight: height }}>
      <Icon name="error" />
      <h4>{title}</h4>
      {children !== undefined && <p>{children}</p>}
      {onRetry !== undefined && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** Grey shapes after 300 ms, only on the first load. */
export function LoadingState({ height = 128 }: { height?: number }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300)
    return () => clearTimeout(timer)
  }, [])
  if (late !== true) return <div style={{ height }} />
  return (
    <div className="inset p-3" role="status" style={{ height }}>
      <span className="sr-only">Loading</span>
      <div className="skeleton h-3 w-[46%]" />
      <div className="skeleton mt-3" style={{ height: Math.max(12, height - 50) }} />
    </div>
  )
}
