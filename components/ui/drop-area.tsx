'use client'
/* Owns the only dashed box: files and folders dropped on it or chosen. Hands over the files, knows nothing of what becomes of them. */
import { type ReactNode, useRef, useState } from 'react'
import { chosenFiles, type DroppedFile, droppedFiles } from './dropped-files'
import { Icon } from './icon'

const LINK = 'min-h-[24px] underline decoration-line-control underline-offset-[3px]'

export function DropArea({
  title,
  children,
  onFiles,
  disabled = false,
}: {
  title: string
  children: ReactNode
  onFiles: (files: DroppedFile[]) => void
  disabled?: boolean
}) {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = (element: HTMLInputElement) => {
    onFiles(chosenFiles(element.files ?? []))
    element.value = ''
  }
  return (
    // the box itself is no control; the buttons inside are the keyboard's way in
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
        if (disabled !== true) void droppedFiles(event.dataTransfer).then(onFiles)
      }}
    >
      <Icon name="upload" />
      <b>{title}</b>
      <span>{children}</span>
      <span>
        <button type="button" className={LINK} disabled={disabled} onClick={() => input.current?.click()}>
          Choose files
        </button>{' '}
        or{' '}
        <button type="button" className={LINK} disabled={disabled} onClick={() => folder.current?.click()}>
          a folder
        </button>
      </span>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={title}
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={(element) => {
          folder.current = element
          element?.setAttribute('webkitdirectory', '')
        }}
        type="file"
        hidden
        data-folder
        aria-label={`${title}, a folder`}
        onChange={(event) => take(event.currentTarget)}
      />
    </section>
  )
}
