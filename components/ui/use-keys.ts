'use client'
/* Owns single keys. Invariant: never taken while a person types, with Ctrl, Alt or Meta, in a dialog, or where single keys are switched off.
   A key may be a sequence "g o": the second within 1.2 s. */
import { useEffect, useRef } from 'react'

const OFF = 'envsched-single-keys'

export function singleKeysOn(): boolean {
  return typeof localStorage === 'undefined' || localStorage.getItem(OFF) !== 'off'
}

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(OFF)
  else localStorage.setItem(OFF, 'off')
}

function typing(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.matches('textarea, select')) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)
}

// The first key of a sequence, shared by every listener of the page.
let first: { at: number; done: boolean } | null = null

function mayTake(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return false
  // Escape first closes what floats
  return (
    !typing(event.target) && singleKeysOn() && document.querySelector('dialog[open], [popover]:popover-open') === null
  )
}

// Inside a sequence the second key belongs to it alone.
function nameOf(event: KeyboardEvent): string {
  const waiting = first !== null && event.timeStamp !== first.at && event.timeStamp - first.at < 1200
  return waiting ? `g ${event.key}` : event.key
}

/** Runs the function of a pressed key; one that answers false leaves the key to others. `keys` may change between renders. */
export function useKeys(keys: Record<string, () => unknown>): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (mayTake(event) === false) return
      const name = nameOf(event)
      const run = current.current[name]
      if (name === 'g') first = { at: event.timeStamp, done: false }
      else if (name.startsWith('g ') && first !== null) first.done = true
      if (run === undefined) return
      if (run() !== false) event.preventDefault()
    }
    // After the press every listener has seen it: a sequence ends with its second key.
    const onUp = (event: KeyboardEvent) => {
      if (event.key !== 'g' || first?.done === true) first = null
    }
    window.addEventListener('keydown', onKey)
    window.addEventListener('keyup', onUp)
    return () => {
      window.removeEventListener('keydown', onKey)
      window.removeEventListener('keyup', onUp)
    }
  }, [])
}
