/* Owns what is told when the run or a colleague moved while the draft was being made, above the new difference.
   Invariant: the draft is kept whole; this only tells. */
import { Icon } from '@/components/ui/icon'

export function SinceNote({
  moved,
  steered,
}: {
  /** what the server named when it refused to write on an old preview, or null */
  moved: readonly { path: string; message: string }[] | null
  /** what others set since the draft was begun */
  steered: readonly { id: string; sentence: string; both: boolean }[]
}) {
  const told = new Set(steered.map(({ id }) => id))
  const others = (moved ?? []).filter(({ path }) => !told.has(path)).map(({ message }) => message)
  const lines = [...others, ...steered.map(({ sentence }) => sentence)]
  if (lines.length === 0) return null
  return (
    <section className="inset mb-3 flex gap-2 p-3 text-12" role="status" aria-label="What moved meanwhile">
      <Icon name="warn" className="text-warn" />
      <div className="grid min-w-0 gap-1">
        <b className="font-medium">
          {moved === null
            ? 'The settings moved since you began this draft. Nothing of it is lost.'
            : 'Nothing was written: the run moved since the preview that you saw. Below is the new difference.'}
        </b>
        {lines.map((line) => (
          <span key={line} className="wrap-anywhere text-ink-2">
            {line}
          </span>
        ))}
      </div>
    </section>
  )
}
