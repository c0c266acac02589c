'use client'
/* Owns the focus after a move to another page: what had it is gone, so the page gets it and the next Tab begins there. */
import { usePathname } from 'next/navigation'
import { useEffect, useRef } from 'react'
import { focusMain, whenLost } from '@/components/ui/return-focus'

export function FocusAfterMove() {
  const path = usePathname()
  const before = useRef(path)
  useEffect(() => {
    if (before.current === path) return
    before.current = path
    whenLost(focusMain)
  }, [path])
  return null
}
