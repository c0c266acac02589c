'use client'
/* Owns a box that opens under its button and closes by Escape, a press outside or `close`. The browser's popover does the work. */
import { type ReactNode, useId, useRef } from 'react'
import { placeFloating } from './place-floating'

export function Popover({
  label,
  trigger,
  triggerClass = 'btn',
  className = '',
  align = 'start',
  children,
}: {
  /** What the button is called. */
  label: string
  trigger: ReactNode
  triggerClass?: string
  className?: string
  align?: 'start' | 'end'
  children: (close: () => void) => ReactNode
}) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  return (
    <>
      <button ref={button} type="button" className={triggerClass} aria-label={label} title={label} popoverTarget={id}>
        {trigger}
      </button>
      <div
        ref={box}
        id={id}
        popover="auto"
        className={`pop ${className}`}
        onToggle={() => {
          if (button.current !== null && box.current?.matches(':popover-open')) {
            placeFloating(button.current, box.current, align)
          }
        }}
      >
        {children(() => box.current?.hidePopover())}
      </div>
    </>
  )
}
