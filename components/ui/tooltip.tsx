'use client'
/* Owns the hover that says how a number is computed. Shows on hover and on focus, closes with Escape, stays while the pointer is on it.
   Invariant: nothing is only here; the page can be read without it. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { placeFloating } from './place-floating'

export function Tooltip({
  content,
  children,
  className = '',
  focusable = true,
}: {
  content: ReactNode
  children: ReactNode
  className?: string
  /** false where the child is itself a control. */
  focusable?: boolean
}) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const box = useRef<HTMLSpanElement>(null)

  useEffect(() => {
    const element = anchor.current
    const floating = box.current
    if (element === null || floating === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (then: () => void, ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(then, ms)
    }
    // What a press on a control opened is not covered by what its hover says.
    let pressed = false
    const show = () =>
      wait(() => {
        if (pressed || floating.matches(':popover-open')) return
        floating.showPopover()
        placeFloating(element, floating)
      }, 160)
    const hide = () => {
      pressed = false
      wait(() => floating.hidePopover(), 120)
    }
    const press = () => {
      pressed = true
      clearTimeout(timer)
      floating.hidePopover()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') floating.hidePopover()
    }
    const stop = new AbortController()
    const { signal } = stop
    element.addEventListener('pointerenter', show, { signal })
    element.addEventListener('pointerleave', hide, { signal })
    element.addEventListener('focusin', show, { signal })
    if (focusable !== true) {
      element.addEventListener('pointerdown', press, { signal })
      element.addEventListener('click', press, { signal })
    }
    element.addEventListener('focusout', hide, { signal })
    element.addEventListener('keydown', onKey, { signal })
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [focusable])

  return (
    <span ref={anchor} className={className} aria-describedby={id} {...(focusable === true ? { tabIndex: 0 } : {})}>
      {children}
      <span ref={box} id={id} role="tooltip" popover="manual" className="pop tip">
        {content}
      </span>
    </span>
  )
}
