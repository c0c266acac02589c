/* Owns the chosen runs, grouped by configuration, each with its cross. */
import Link from 'next/link'
import { tabPath } from '@/components/shell/run-tabs'
import { Icon } from '@/components/ui/icon'
import type { Configuration } from '@/lib/view/compare-configurations'
import { AddRun } from './add-run'
import { StrokeSample } from './stroke-sample'

export function RunChip({
  id,
  name,
  gone,
  onRemove,
}: {
  id: string
  name: string
  gone?: string
  onRemove: () => void
}) {
  return (
    <span className="chip">
      {gone === undefined ? (
        <Link href={tabPath(id, 'overview')} className="truncate no-underline hover:underline">
          {name}
        </Link>
      ) : (
        <span className="truncate text-warn">
          {name}, {gone}
        </span>
      )}
      <button type="button" aria-label={`Remove ${name}`} title={`Remove ${name}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </span>
  )
}

export function CompareChips({
  ids,
  configurations,
  missing,
  waiting,
  onAdd,
  onRemove,
}: {
  ids: readonly string[]
  configurations: readonly Configuration[]
  missing: readonly string[]
  /** chosen, and their answer is not here yet */
  waiting: readonly { id: string; name: string }[]
  onAdd: (id: string) => void
  onRemove: (id: string) => void
}) {
  return (
    <div className="mb-[10px] flex min-h-6 flex-wrap items-center gap-x-[22px] gap-y-[6px]">
      {configurations.map((configuration, rank) => (
        <span key={configuration.key} className="inline-flex min-w-0 flex-wrap items-center gap-[6px]">
          <StrokeSample rank={rank} />
          <b className="font-medium">{configuration.name}</b>
          {configuration.runs.map((run) => (
            <RunChip key={run.id} id={run.id} name={run.name} onRemove={() => onRemove(run.id)} />
          ))}
        </span>
      ))}
      {waiting.map(({ id, name }) => (
        <RunChip key={id} id={id} name={name} onRemove={() => onRemove(id)} />
      ))}
      {missing.map((id) => (
        <RunChip key={id} id={id} name={id} gone="deleted" onRemove={() => onRemove(id)} />
      ))}
      <AddRun ids={ids} onAdd={onAdd} />
    </div>
  )
}
