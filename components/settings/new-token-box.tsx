/* Owns the one time that a token's text is shown. */
import { IconButton } from '@/components/ui/button'
import { CommandLine } from '@/components/ui/command-line'
import { Icon } from '@/components/ui/icon'
import type { NewToken } from '@/lib/contract/token'

export function NewTokenBox({ token, onClose }: { token: NewToken; onClose: () => void }) {
  return (
    <section
      className="mt-[10px] flex items-start gap-[10px] rounded-[4px] bg-ok-tint px-3 py-[10px]"
      aria-label={`New token ${token.name}`}
    >
      <span className="pt-[3px] text-ok">
        <Icon name="check" />
      </span>
      <div className="min-w-0 flex-1">
        <p role="status">
          <b className="font-medium wrap-anywhere">{token.name} is made.</b>{' '}
          <span className="text-ink-2">Copy it now; only its hash is kept.</span>
        </p>
        <div className="mt-[6px]">
          <CommandLine command={token.token} />
        </div>
      </div>
      <IconButton
        icon="close"
        kind="quiet"
        size="small"
        label="Close, the token is not shown again"
        onClick={onClose}
      />
    </section>
  )
}
