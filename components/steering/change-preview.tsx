'use client'
/* Owns the one sentence that says what a change would do to the next batch, before it is applied in place. Asks 300 ms after the
   last edit, and again when the next batch is another; writes nothing. Invariant: an answer about an older edit never stands for a
   newer one; one about an older batch stands, named, until the newer one is there. */
import { useEffect, useState } from 'react'
import type { PreviewDraft } from '@/lib/contract/action'
import type { OverrideInput } from '@/lib/contract/steering'
import { changePreviewSentence } from '@/lib/view/steering-words'

const PAUSE_MS = 300

export function ChangePreview({
  run,
  change,
  nextBatch,
  ask,
}: {
  run: string
  nextBatch: number
  /** null = what is typed is no change */
  change: OverrideInput | null
  ask: PreviewDraft
}) {
  const key = change === null ? '' : JSON.stringify(change)
  const [said, setSaid] = useState<{ key: string; words: string; refused: boolean } | null>(null)
  useEffect(() => {
    if (key === '' || nextBatch < 1) return
    let old = false
    const timer = setTimeout(async () => {
      const asked = JSON.parse(key) as OverrideInput
      const answer = await ask(run, { changes: [asked] }).catch(() => null)
      if (old) return
      if (answer === null) setSaid({ key, words: 'The preview could not be made.', refused: true })
      else if (answer.ok) setSaid({ key, ...changePreviewSentence(answer.value, asked) })
      else setSaid({ key, words: answer.message, refused: true })
    }, PAUSE_MS)
    return () => {
      old = true
      clearTimeout(timer)
    }
  }, [ask, key, run, nextBatch])
  if (key === '') return null
  const shown = said?.key === key ? said : null
  return (
    <p className={`min-h-[32px] text-12 ${shown?.refused === true ? 'text-bad' : 'text-ink-2'}`} role="status">
      {shown === null ? 'Working out the next batch with it' : shown.words}
    </p>
  )
}
