'use client'
/* Owns the preview of a draft: asked for 300 ms after the last change, one in flight, the newest draft last.
   Invariant: an older preview stays on the screen while a newer one is made, and says so by `fresh`. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { PreviewDraft } from '@/lib/contract/action'
import type { OverrideInput, Preview } from '@/lib/contract/steering'
import { decodeDraft } from '@/lib/view/steering-draft'

const PAUSE_MS = 300

interface Kept {
  /** draft and batch that it was made for */
  key: string
  changes: OverrideInput[]
  preview: Preview
}

export interface PreviewState {
  kept: Kept | null
  fresh: boolean
  busy: boolean
  error: string | null
  /** Makes it again now, for the log as it stands. */
  again: () => Promise<Preview | null>
}

/** `newest`: number of the newest override; a colleague's change makes the preview anew as a new batch does. */
export function usePreview(
  run: string,
  draft: string,
  nextBatch: number | null,
  newest: number,
  ask: PreviewDraft,
): PreviewState {
  const [kept, setKept] = useState<Kept | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const key = `${draft}@${nextBatch ?? ''}.${newest}`
  const wanted = useRef(key)
  const flight = useRef<Promise<Preview | null> | null>(null)
  wanted.current = key

  const make = useCallback(async (): Promise<Preview | null> => {
    const asked = wanted.current
    const changes = decodeDraft(asked.slice(0, asked.lastIndexOf('@')))
    if (changes.length === 0) return null
    const answer = await ask(run, { changes })
    if (!answer.ok) {
      setError(answer.message)
      return null
    }
    setError(null)
    setKept({ key: asked, changes, preview: answer.value })
    return answer.value
  }, [ask, run])

  const again = useCallback(async (): Promise<Preview | null> => {
    await flight.current
    setBusy(true)
    const going = make().catch(() => {
      setError('The preview could not be made. The draft is kept; try again.')
      return null
    })
    flight.current = going
    const made = await going
    flight.current = null
    setBusy(false)
    return made
  }, [make])

  useEffect(() => {
    if (draft === '' || nextBatch === null) {
      setKept(null)
      setError(null)
      return
    }
    // The one in flight ends first; then only the newest draft is asked for.
    const timer = setTimeout(async () => {
      await flight.current
      if (wanted.current === key) await again()
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [again, draft, key, nextBatch])

  return { kept, fresh: kept?.key === key, busy, error, again }
}
