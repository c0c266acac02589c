/* Owns the one time that a webhook's secret is shown. */
import { IconButton } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { Icon } from '@/components/ui/icon'

export function WebhookSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <section
      className="mt-[10px] flex items-start gap-[10px] rounded-[4px] bg-ok-tint px-3 py-[10px]"
      aria-label="New secret"
    >
      <span className="pt-[3px] text-ok">
        <Icon name="check" />
      </span>
      <div className="min-w-0 flex-1">
        <p role="status">
          <b className="font-medium">A secret is made.</b>{' '}
          <span className="text-ink-2">Copy it now, it is not shown again; it signs each delivery.</span>
        </p>
        <div className="mt-[6px]">
          <CommandLine command={secret} />
        </div>
      </div>
      <IconButton
        icon="close"
        kind="quiet"
        size="small"
        label="Close, the secret is not shown again"
        onClick={onClose}
      />
    </section>
  )
}
