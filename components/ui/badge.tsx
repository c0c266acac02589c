/* Owns the small word with a tint. Invariant: colour is never alone; a toned badge has an icon and a word. */
import { Icon, type IconName } from './icon'

type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'info' | 'draft'

const TONE_ICON: Partial<Record<Tone, IconName>> = { ok: 'check', warn: 'warn', bad: 'error', info: 'info' }

export function Badge({ tone = 'plain', icon, children }: { tone?: Tone; icon?: IconName | null; children: string }) {
  const name = icon === undefined ? TONE_ICON[tone] : (icon ?? undefined)
  return (
    <span className="badge" data-tone={tone === 'plain' ? undefined : tone}>
      {name !== undefined && <Icon name={name} />}
      {children}
    </span>
  )
}
