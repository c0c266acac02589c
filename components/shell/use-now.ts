'use client'
/* Owns the clock of the page: one value a second, null until the browser runs, so that server and browser render the same. */
import { useEffect, useState } from 'react'
import { formatSpan } from '@/lib/view/format'

/** Milliseconds, moved once a second; null on the first render. */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** "4 s" since the ISO time, null where there is none or the clock has not started. */
export function useAgo(iso: string | null | undefined): string | null {
  const now = useNow()
  if (now === null || iso === null || iso === undefined) return null
  const then = Date.parse(iso)
  return Number.isFinite(then) ? formatSpan((now - then) / 1000) : null
}
