'use client'
/* Owns the modal box: names what happens, then when. The browser's dialog keeps the focus inside and closes on Escape. */
import { type ReactNode, useEffect, useId, useRef } from 'react'

export function Dialog({
  open,
  onClose,
  title,
  hideTitle = false,
  wide = false,
  flush = false,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  hideTitle?: boolean
  wide?: boolean
  /** Without inner margin, for a list. */
  flush?: boolean
  children: ReactNode
}) {
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = box.current
    if (dialog === null) return
    if (open && !dialog.open) dialog.showModal()
    if (!open && dialog.open) dialog.close()
  }, [open])
  return (
    // A press on the backdrop is a press on the dialog itself; Escape is the keyboard's way and comes as `close`.
    <dialog
      ref={box}
      className="pop"
      data-wide={wide === true ? '' : undefined}
      data-flush={flush === true ? '' : undefined}
      aria-labelledby={id}
      onClose={onClose}
      onPointerDown={(event) => {
        if (event.target === box.current) onClose()
      }}
    >
      <h4 id={id} className={hideTitle === true ? 'sr-only' : ''}>
        {title}
      </h4>
      {open ? children : null}
    </dialog>
  )
}
