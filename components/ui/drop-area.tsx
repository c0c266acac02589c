'use client'
/* Owns the only dashed box: files dropped on it or chosen. Hands over the files, knows nothing of what becomes of them. */
import { type ReactNode, useRef, useState } from 'react'
import { Icon } from './icon'

export function DropArea({
  title,
  children,
  onFiles,
  disabled = false,
}: {
  title: string
  children: ReactNode
  onFiles: (files: File[]) => void
  disabled?: boolean
}) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  return (
    // the box itself is no control; the button inside is the keyboard's way in
    <section
      className="drop"
      aria-label={title}
      data-over={over === true ? '' : undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(disabled !== true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (disabled !== true) onFiles([...event.dataTransfer.files])
      }}
    >
      <Icon name="upload" />
      <b>{title}</b>
      <span>
        {children}{' '}
        <button
          type="button"
          className="min-h-[24px] underline decoration-line-control underline-offset-[3px]"
          disabled={disabled}
          onClick={() => input.current?.click()}
        >
          Choose files
        </button>
      </span>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={title}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </section>
  )
}
