/* Owns the mark of a pick that was not chosen by score: drawn uniformly, or pinned. A score pick wears none. */
import { Icon } from '@/components/ui/icon'
import type { PickView } from '@/lib/contract/batch'

export function SlotMark({ slot }: { slot: PickView['slot'] }) {
  if (slot === 'score') return null
  const word = slot === 'pin' ? 'pinned' : 'uniform'
  const title =
    slot === 'pin'
      ? 'A person pinned it; scores and quotas did not decide'
      : 'Drawn uniformly from all tasks; scores and upper quotas did not decide'
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap text-12 text-ink-3" title={title}>
      {slot === 'pin' ? <Icon name="pin" className="h-3 w-3" /> : <i className="slot-uniform" aria-hidden="true" />}
      {word}
    </span>
  )
}
