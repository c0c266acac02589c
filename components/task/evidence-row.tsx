/* Owns one row of the evidence tree: the source with its twist, its bar inside its parent's, its part of the sum. */
import Link from 'next/link'
import { EnvTag } from '@/components/ui/env-tag'
import { EvidenceBar } from '@/components/ui/evidence-bar'
import { GroupLink } from '@/components/ui/group-link'
import { Icon } from '@/components/ui/icon'
import { Key } from '@/components/ui/key'
import { RolloutSquares } from '@/components/ui/rollout-squares'
import { SharedMark } from '@/components/ui/shared-mark'
import type { EvidenceNode } from '@/lib/view/evidence-tree'
import { formatFixed } from '@/lib/view/format'

const COLOURS = {
  own: 'var(--ev-own)',
  within: 'var(--rel-within)',
  cross: 'var(--rel-cross)',
  prior: 'var(--ev-prior)',
} as const

function GroupMark({ run, node }: { run: string; node: EvidenceNode }) {
  const { group } = node
  if (group === null) return null
  if (group.outcomes.length > 0) {
    const marks = group.outcomes.map((fill) => ({ state: 'trusted' as const, fill }))
    // wider groups would push the share out of sight
    return (
      <GroupLink run={run} group={group.group} label="Read its rollouts">
        <RolloutSquares marks={marks} most={8} folded={4} />
      </GroupLink>
    )
  }
  return (
    <span className="text-12 text-ink-3">
      {formatFixed(group.size, 0)} rollouts, mean {formatFixed(group.mean, 2)}
    </span>
  )
}

function Source({ run, node }: { run: string; node: EvidenceNode }) {
  if (node.depth === 0) {
    return (
      <Key colour={COLOURS[node.source]} mark={node.source === 'prior' ? 'hatch' : 'square'}>
        <span className="text-13 text-ink-1">{node.label}</span>
      </Key>
    )
  }
  if (node.task === null) {
    return (
      <>
        <span className={node.group === null ? 'text-ink-3' : ''}>{node.label}</span>
        <GroupMark run={run} node={node} />
      </>
    )
  }
  return (
    <>
      <Link
        className="max-w-[24ch] truncate no-underline hover:underline"
        title={node.through.length > 0 ? `${node.task.key}, through ${node.through.join(', ')}` : node.task.key}
        href={`/runs/${encodeURIComponent(run)}/tasks/${encodeURIComponent(node.task.id)}`}
      >
        {node.task.key}
      </Link>
      {node.source === 'cross' && <EnvTag environment={node.task.environment} />}
    </>
  )
}

export function EvidenceRow({
  run,
  node,
  open,
  onToggle,
}: {
  run: string
  node: EvidenceNode
  open: boolean
  onToggle: () => void
}) {
  const strong = node.depth === 0
  return (
    <tr data-depth={node.depth} data-row={node.id}>
      <td>
        <span className="flex items-center gap-[6px]">
          {node.children.length > 0 ? (
            <button
              type="button"
              className="tree-twist"
              aria-expanded={open}
              aria-label={`${open ? 'Close' : 'Open'} ${node.label}`}
              onClick={onToggle}
            >
              <Icon name={open ? 'down' : 'right'} />
            </button>
          ) : (
            <span className="w-[14px] flex-none" />
          )}
          <Source run={run} node={node} />
        </span>
      </td>
      <td className="num">
        {node.edge !== null && formatFixed(node.edge, 2)}
        {node.edge === null && node.task !== null && <SharedMark through={node.through} />}
      </td>
      <td className="num text-ink-2">{node.rollouts !== null && formatFixed(node.rollouts, 1)}</td>
      <td className="tree-bar">
        <EvidenceBar
          kind={node.source}
          start={node.start}
          share={node.length}
          thin={!strong}
          against={node.share < 0}
        />
      </td>
      <td className={`num ${strong ? 'font-semibold' : ''}`}>{formatFixed(node.variance, 3)}</td>
      <td className={`num ${strong ? 'font-semibold' : 'text-ink-2'}`}>
        {node.percent === null ? (
          <span className="unit">n/a</span>
        ) : (
          <>
            {formatFixed(node.percent, 1)} <span className="unit">%</span>
          </>
        )}
      </td>
    </tr>
  )
}
