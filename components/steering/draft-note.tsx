'use client'
/* Owns the reminder of a draft that is not applied, on every page of its run. */
import Link from 'next/link'
import { formatCount } from '@/lib/view/format'
import { decodeDraft } from '@/lib/view/steering-draft'
import { useDraftText } from './use-draft'

export function DraftNote({ run }: { run: string }) {
  const count = decodeDraft(useDraftText(run)).length
  if (count === 0) return null
  return (
    <Link className="draft no-underline" href={`/runs/${encodeURIComponent(run)}/steering`}>
      Draft: {formatCount(count, 'change')}, not applied
    </Link>
  )
}
