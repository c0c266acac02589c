'use client'
/* Owns copying text. Says that it happened in the button's own word for two seconds; where the browser refuses, says so. */
import { useEffect, useState } from 'react'
import { Button } from './button'

export function CopyButton({
  text,
  label = 'Copy',
}: {
  /** A function where it is only known at the press. */
  text: string | (() => string)
  label?: string
}) {
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => setSaid(null), 2000)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <Button
      size="small"
      kind="quiet"
      onClick={() => {
        navigator.clipboard.writeText(typeof text === 'string' ? text : text()).then(
          () => setSaid('Copied'),
          () => setSaid('Select and copy'),
        )
      }}
    >
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  )
}
