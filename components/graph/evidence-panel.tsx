'use client'
/* Owns the side panel of one task's evidence: the prediction, its four parts, neighbours, and the rollouts behind one. */
import { tabPath } from '@/components/shell/run-tabs'
import { Button, ButtonLink } from '@/components/ui/button'
import type { EvidenceView } from '@/lib/contract/evidence'
import { neighboursBySize } from '@/lib/view/graph-evidence'
import { ContributingGroups } from './contributing-groups'
import { DrawnPaths } from './drawn-paths'
import { EvidenceShares } from './evidence-shares'
import { NeighbourTable } from './neighbour-table'

export function EvidencePanel({
  run,
  evidence,
  from,
  onFrom,
  onSelect,
}: {
  run: string
  evidence: EvidenceView
  from: string | null
  onFrom: (task: string) => void
  /** goes on to another task */
  onSelect: (task: string) => void
}) {
  const { contributions, task, text } = evidence
  const [largest] = neighboursBySize(evidence)
  const opened =
    contributions.find((one) => one.task.id === from) ??
    largest ??
    contributions.find(({ kind }) => kind === 'own') ??
    null
  const own = contributions.find(({ kind }) => kind === 'own')
  return (
    <>
      {text !== null && <p className="mt-[2px] line-clamp-3 text-ink-2">{text}</p>}
      <div className="mt-[10px]">
        <EvidenceShares evidence={evidence} />
      </div>
      <NeighbourTable evidence={evidence} from={opened?.task.id ?? null} onFrom={onFrom} />
      {opened !== null && <ContributingGroups run={run} contribution={opened} />}
      <p className="mt-[10px] flex flex-wrap gap-2">
        {opened !== null && opened.kind !== 'own' && (
          <Button className="max-w-full" onClick={() => onSelect(opened.task.id)}>
            <span className="truncate">Evidence of {opened.task.key}</span>
          </Button>
        )}
        {own !== undefined && own !== opened && (
          <button type="button" className="btn" onClick={() => onFrom(task.id)}>
            Its own rollouts
          </button>
        )}
        <ButtonLink href={tabPath(run, `tasks/${encodeURIComponent(task.id)}`)}>Open the task</ButtonLink>
      </p>
      <DrawnPaths evidence={evidence} />
    </>
  )
}
