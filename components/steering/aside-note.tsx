/* Owns the line about a draft that one from a link replaced: it is kept until it is brought back or let go. */
import { Button } from '@/components/ui/button'
import { formatCount } from '@/lib/view/format'

export function AsideNote({ count, onRestore, onDrop }: { count: number; onRestore: () => void; onDrop: () => void }) {
  return (
    <p className="mb-3 flex flex-wrap items-center gap-2 text-12 text-ink-2" role="status">
      This draft came with the link. Your own of {formatCount(count, 'change')} was set aside.
      <Button size="small" onClick={onRestore}>
        Swap them
      </Button>
      <Button size="small" kind="quiet" onClick={onDrop}>
        Let it go
      </Button>
    </p>
  )
}
