'use client'
/* Owns the modal box: names what happens, then when. The browser's dialog keeps the focus inside and closes on Escape; the
   opener has it again afterwards. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { leave, wayBack } from './return-focus'

export function Dialog({
  open,
  onClose,
  title,
  hideTitle = false,
  wide = false,
  flush = false,
  leaves = false,
  children,
}: {
  open: boolean
  onClose: () => void
  title: string
  hideTitle?: boolean
  wide?: boolean
  /** Without inner margin, for a list. */
  flush?: boolean
  /** Closing leads to another place, which has the focus then, not the opener. */
  leaves?: boolean
  children: ReactNode
}) {
  const box = useRef<HTMLDialogElement>(null)
  const back = useRef<(() => void) | null>(null)
  const id = useId()
  useEffect(() => {
    const dialog = box.current
    if (dialog === null) return
    if (open && !dialog.open) {
      back.current = wayBack(document.activeElement)
      dialog.showModal()
    }
    if (open || back.current === null) return
    if (dialog.open) dialog.close()
    if (leaves === true) leave()
    else back.current()
    back.current = null
  }, [open, leaves])
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
