/* Owns the way from a group's squares to its rollouts. Invariant: a group that has no number yet is no link. */
import Link from 'next/link'
import type { ReactNode } from 'react'

export function GroupLink({
  run,
  group,
  task,
  label,
  children,
}: {
  run: string
  /** server id of the group, null where there is none yet */
  group: string | null
  /** server id of its task: the page then shows the task's groups alone, this one first */
  task?: string
  /** what is read out */
  label: string
  children: ReactNode
}) {
  if (group === null) return children
  const filter = task === undefined ? '' : `task=${encodeURIComponent(task)}&`
  return (
    <Link
      className="inline-flex min-h-6 items-center no-underline max-sm:min-h-[24px] max-sm:min-w-[24px] hover:bg-surface-2"
      href={`/runs/${encodeURIComponent(run)}/rollouts?${filter}group=${encodeURIComponent(group)}`}
      title={label}
      prefetch={false}
    >
      {children}
    </Link>
  )
}
