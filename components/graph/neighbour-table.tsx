'use client'
/* Owns the neighbours by contribution, within before cross, each closed by "n more" so that a kind adds up to its share. */
import { type CSSProperties, useState } from 'react'
import { SharedMark } from '@/components/ui/shared-mark'
import type { EvidenceView } from '@/lib/contract/evidence'
import { formatFixed } from '@/lib/view/format'
import { type NeighbourGroup, type NeighbourRow, neighbourGroups } from '@/lib/view/graph-evidence'
import { RelationLine } from './relation-line'

function Percent({ value }: { value: number | null }) {
  if (value === null) return <span className="unit">n/a</span>
  return (
    <>
      {formatFixed(value, 1)} <span className="unit">%</span>
    </>
  )
}

export function NeighbourTable({
  evidence,
  from,
  onFrom,
}: {
  evidence: EvidenceView
  /** server id of the neighbour whose rollouts are open */
  from: string | null
  onFrom: (task: string) => void
}) {
  const groups = neighbourGroups(evidence).filter(
    ({ rows, folded, rest }) => rows.length + folded.length + rest.tasks > 0,
  )
  if (groups.length === 0) return <p className="mt-[14px] text-12 text-ink-3">No neighbour has rollouts yet.</p>
  return (
    <>
      <h4 className="mt-[14px] mb-[3px] text-13 font-semibold">Neighbours, by contribution</h4>
      <table className="tbl" style={{ '--row': '26px' } as CSSProperties} aria-label="Neighbours, by contribution">
        <thead>
          <tr>
            <th scope="col">task</th>
            <th scope="col" className="num">
              edge
            </th>
            <th scope="col" className="num">
              <span className="explained" title="Decayed mass of trusted rollouts">
                rollouts
              </span>
            </th>
            <th scope="col" className="num">
              share
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <GroupRows key={group.kind} group={group} from={from} onFrom={onFrom} />
          ))}
        </tbody>
      </table>
    </>
  )
}

function GroupRows({
  group,
  from,
  onFrom,
}: {
  group: NeighbourGroup
  from: string | null
  onFrom: (task: string) => void
}) {
  const [open, setOpen] = useState(false)
  const { kind, rows, folded, rest } = group
  const unfolded = open === true ? [...rows, ...folded] : rows
  const closed = open === true ? [] : folded
  const more = closed.length + rest.tasks
  const closedShare = closed.reduce((sum, row) => sum + row.contribution.share, rest.share)
  const closedPercent = closed.reduce<number | null>(
    (sum, row) => (sum === null || row.percent === null ? null : sum + row.percent),
    rest.percent,
  )
  return (
    <>
      {unfolded.map((row) => (
        <Row key={row.contribution.task.id} row={row} from={from} onFrom={onFrom} />
      ))}
      {more > 0 && (
        <tr data-kind={kind} data-share={closedShare} data-rest={more}>
          <td className="py-0.5! pl-[6px]!">
            <span className="flex items-center gap-2">
              <RelationLine kind={kind} />
              {closed.length > 0 ? (
                <button type="button" className="min-h-6 text-ink-3 underline" onClick={() => setOpen(true)}>
                  {more} more
                </button>
              ) : (
                <span className="text-ink-3">{more} more</span>
              )}
            </span>
          </td>
          <td />
          <td />
          <td className="num py-0.5! pr-[6px]!">
            <Percent value={closedPercent} />
          </td>
        </tr>
      )}
    </>
  )
}

function Row({ row, from, onFrom }: { row: NeighbourRow; from: string | null; onFrom: (task: string) => void }) {
  const { task, kind, edge, rollouts, share, environment, through } = row.contribution
  return (
    <tr
      data-task={task.id}
      data-kind={kind}
      data-share={share}
      aria-selected={task.id === from ? true : undefined}
      onClick={() => onFrom(task.id)}
    >
      <td className="w-full max-w-0 py-0.5! pl-[6px]!">
        <span className="flex items-center gap-2">
          {kind !== 'own' && <RelationLine kind={kind} />}
          <button
            type="button"
            className="min-h-6 min-w-0 truncate text-left"
            title={`${task.key}, ${environment.name}`}
            onClick={() => onFrom(task.id)}
          >
            {task.key}
          </button>
        </span>
      </td>
      <td className="num py-0.5!">{edge === null ? <SharedMark through={through} /> : formatFixed(edge, 2)}</td>
      <td className="num py-0.5!">{formatFixed(rollouts, 1)}</td>
      <td className="num py-0.5! pr-[6px]!">
        <Percent value={row.percent} />
      </td>
    </tr>
  )
}
