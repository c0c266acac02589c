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
  const box = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)

  const wait = (then: () => void, ms: number) => {
    if (timer.current !== null) clearTimeout(timer.current)
    timer.current = setTimeout(then, ms)
  }
  const show = () =>
    wait(() => {
      if (anchor.current === null || box.current === null || box.current.matches(':popover-open')) return
      box.current.showPopover()
      placeFloating(anchor.current, box.current)
    }, 160)
  const hide = () => wait(() => box.current?.hidePopover(), 120)

  useEffect(() => () => clearTimeout(timer.current ?? undefined), [])

  return (
    <span
      ref={anchor}
      className={className}
      role={focusable === true ? 'note' : undefined}
      {...(focusable === true ? { tabIndex: 0 } : {})}
      aria-describedby={id}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => {
        if (event.key === 'Escape') box.current?.hidePopover()
      }}
    >
      {children}
      <div
        ref={box}
        id={id}
        role="tooltip"
        popover="manual"
        className="pop tip"
        onPointerEnter={show}
        onPointerLeave={hide}
      >
        {content}
      </div>
    </span>
  )
}
