'use client'
/* Owns the height that is left below an element's top: alarms and the strip above it come and go. */
import { type RefObject, useLayoutEffect, useState } from 'react'

export function useRestHeight(element: RefObject<HTMLElement | null>, least: number): number {
  const [height, setHeight] = useState(least)
  useLayoutEffect(() => {
    const measure = () => {
      if (element.current === null) return
      const top = element.current.getBoundingClientRect().top + window.scrollY
      setHeight(Math.max(least, Math.floor(window.innerHeight - top)))
    }
    const above = new ResizeObserver(measure)
    above.observe(document.body)
    window.addEventListener('resize', measure)
    measure()
    return () => {
      above.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [element, least])
  return height
}
