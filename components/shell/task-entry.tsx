'use client'
/* Owns what the Task tab shows first: the last task looked at, else the one of largest predicted variance. */
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { ErrorState, LoadingState, NothingState } from '@/components/ui/panel-state'
import { tasksQuery } from '@/lib/client/task'
import { lastTask } from './last-task'
import { tabPath } from './run-tabs'

export function TaskEntry({ run }: { run: string }) {
  const router = useRouter()
  const { data, error, refetch } = useQuery(tasksQuery(run, { sort: 'variance', limit: 1 }))
  const first = data?.items[0]?.id
  useEffect(() => {
    const task = lastTask(run) ?? first
    if (task !== undefined) router.replace(tabPath(run, `tasks/${encodeURIComponent(task)}`))
  }, [first, router, run])
  if (error !== null) return <ErrorState onRetry={() => void refetch()}>{error.message}</ErrorState>
  if (data?.total === 0) return <NothingState title="No task">This run's task set is empty.</NothingState>
  return <LoadingState height={240} />
}
