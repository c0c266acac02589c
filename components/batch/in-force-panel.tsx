'use client'
/* Owns what people had set when the batch was chosen, by letter, and what circumstances relaxed. */
import Link from 'next/link'
import { Panel } from '@/components/ui/panel'
import type { AnyBatch } from '@/lib/view/batch-verdict'

export function InForcePanel({ run, batch }: { run: string; batch: AnyBatch }) {
  const { overrides, notes } = batch
  return (
    <Panel
      title="Overrides in force"
      acts={
        <Link
          className="text-12 text-ink-3 no-underline hover:text-ink-1"
          href={`/runs/${encodeURIComponent(run)}/steering`}
        >
          Steering
        </Link>
      }
    >
      {overrides.length === 0 && notes.length === 0 && (
        <p className="text-12 text-ink-2">None: it was chosen with the run's configuration alone.</p>
      )}
      <ul className="grid gap-1 text-12">
        {overrides.map(({ id, letter, sentence, since }) => (
          <li key={id} className="grid grid-cols-[18px_minmax(0,1fr)_auto] items-baseline gap-2">
            <b className="font-medium">{letter}</b>
            <span>{sentence}</span>
            <span className="text-ink-3">since batch {since}</span>
          </li>
        ))}
        {notes.map((note) => (
          <li key={note} className="grid grid-cols-[18px_minmax(0,1fr)] items-baseline gap-2 text-ink-2">
            <span aria-hidden="true">·</span>
            <span>{note}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
