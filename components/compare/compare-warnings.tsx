/* Owns what a reader must know before trusting a difference: task sets, missing measures, hand steering. */
import Link from 'next/link'
import { tabPath } from '@/components/shell/run-tabs'
import { Icon } from '@/components/ui/icon'
import type { CompareWarning } from '@/lib/view/compare-words'

export function CompareWarnings({ warnings }: { warnings: readonly CompareWarning[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className="mb-3 grid gap-1" aria-label="What to know before trusting a difference">
      {warnings.map(({ key, text, run }) => (
        <li key={key} className="flex items-start gap-2 text-12 text-ink-2">
          <Icon name="warn" className="mt-px text-warn" />
          <span className="wrap-anywhere">
            {text} {run !== undefined && <Link href={tabPath(run.id, 'steering')}>History of {run.name}</Link>}
          </span>
        </li>
      ))}
    </ul>
  )
}
