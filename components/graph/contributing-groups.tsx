/* Owns the rollouts behind one contribution: each group's squares in the order reported, merged older groups in words. */
import Link from 'next/link'
import { tabPath } from '@/components/shell/run-tabs'
import { RolloutSquares } from '@/components/ui/rollout-squares'
import type { ContributionView } from '@/lib/contract/evidence'
import { formatCount, formatFixed } from '@/lib/view/format'

type Group = ContributionView['groups'][number]

function GroupRow({ group, href }: { group: Group; href: string }) {
  if (group.older || group.outcomes.length === 0) {
    return (
      <p className="text-ink-2">
        {group.older ? 'older' : `policy ${group.policyVersion}`}: {formatCount(group.size, 'rollout')}, mean{' '}
        {formatFixed(group.mean, 2)}
      </p>
    )
  }
  return (
    <Link href={href} prefetch={false} className="flex min-h-6 items-center gap-2 no-underline hover:bg-surface-2">
      <span className="w-[58px] flex-none text-ink-2">policy {group.policyVersion}</span>
      <RolloutSquares marks={group.outcomes.map((fill) => ({ state: 'trusted', fill }))} />
    </Link>
  )
}

export function ContributingGroups({ run, contribution }: { run: string; contribution: ContributionView }) {
  const { task, groups, kind, through, rollouts } = contribution
  const trusted = groups.reduce((sum, group) => sum + group.size, 0)
  const graded = groups.some(({ outcomes }) => outcomes.some((value) => value > 0 && value < 1))
  return (
    <section aria-label={`Rollouts behind ${task.key}`} className="text-12">
      <h4 className="mt-[14px] mb-[3px] truncate text-13 font-semibold" title={task.key}>
        Rollouts behind {task.key}
      </h4>
      {groups.map((group, i) => (
        <GroupRow
          key={group.lease ?? `${group.policyVersion}-${i}`}
          group={group}
          href={
            group.group === null
              ? tabPath(run, `tasks/${encodeURIComponent(task.id)}`)
              : `${tabPath(run, 'rollouts')}?task=${encodeURIComponent(task.id)}&group=${encodeURIComponent(group.group)}`
          }
        />
      ))}
      <p className="mt-[5px] text-ink-3">
        {graded ? 'Filled up to its reward' : 'Filled: solved'}. {formatFixed(trusted, 0)} trusted, mass{' '}
        {formatFixed(rollouts, 1)} after fading.
      </p>
      {kind !== 'own' && through.length > 0 && (
        <p className="mt-[2px] wrap-anywhere text-ink-3">
          Through {through.slice(0, 4).join(', ')}
          {through.length > 4 ? ` and ${through.length - 4} more` : ''}.
        </p>
      )}
    </section>
  )
}
