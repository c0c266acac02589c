'use client'
/* Owns that the present tab can be seen where the row of tabs is wider than the window. */
import { type RefObject, useEffect, useRef } from 'react'

/** For the row of tabs; it scrolls sideways, the page never. Looked at again when a name or a font beside it arrives. */
export function useTabInView(tab: string | null): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = row.current
    const there = box?.querySelector(`[aria-current="page"]`)
    if (tab === null || box === null || there === null || there === undefined) return
    const show = () => {
      const [outer, inner] = [box.getBoundingClientRect(), there.getBoundingClientRect()]
      if (inner.left < outer.left || inner.right > outer.right) box.scrollLeft += inner.left - outer.left - 60
    }
    const seen = new ResizeObserver(show)
    seen.observe(box)
    seen.observe(there)
    return () => seen.disconnect()
  }, [tab])
  return row
}
