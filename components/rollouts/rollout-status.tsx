/* Owns the status of a rollout: ok is icon and word without a tint, so that the exceptions are what one sees. */
import { Badge } from '@/components/ui/badge'
import { Icon } from '@/components/ui/icon'
import type { RolloutStatus as Status } from '@/lib/contract/rollout'

export function RolloutStatus({ status }: { status: Status }) {
  if (status === 'ok') {
    return (
      <span
        className="inline-flex items-center gap-[5px] text-ink-2"
        title="ok: ran to its end; the reward says whether it solved"
      >
        <Icon name="check" className="text-ok" />
        ok
      </span>
    )
  }
  if (status === 'truncated' || status === 'cancelled') return <Badge icon="minus">{status}</Badge>
  return <Badge tone="warn">{status}</Badge>
}
