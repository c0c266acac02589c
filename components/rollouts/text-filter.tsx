'use client'
/* Owns the search for text, a tool or an id: "/" leads there; what is typed counts after a pause or with Enter. */
import { useEffect, useRef, useState } from 'react'
import { Icon } from '@/components/ui/icon'
import { useKeys } from '@/components/ui/use-keys'

const PAUSE_MS = 350

export function TextFilter({ value, onChange }: { value: string | null; onChange: (value: string | null) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [typed, setTyped] = useState<string | null>(null)
  useKeys({ '/': () => field.current?.focus() })
  useEffect(() => () => clearTimeout(timer.current), [])
  const settle = (text: string) => {
    clearTimeout(timer.current)
    setTyped(null)
    const wanted = text.trim() === '' ? null : text.trim()
    if (wanted !== value) onChange(wanted)
  }
  return (
    <search>
      <label className="input flex w-[196px] items-center gap-[6px]">
        <Icon name="search" className="text-ink-3" />
        <span className="sr-only">Search text, a tool, a task or an id</span>
        <input
          ref={field}
          className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-3"
          placeholder="Text, tool, task or id"
          maxLength={200}
          value={typed ?? value ?? ''}
          onChange={(event) => {
            const text = event.target.value
            setTyped(text)
            clearTimeout(timer.current)
            timer.current = setTimeout(() => settle(text), PAUSE_MS)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') settle(event.currentTarget.value)
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
        <kbd>/</kbd>
      </label>
    </search>
  )
}
