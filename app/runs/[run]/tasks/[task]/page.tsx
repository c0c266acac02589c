/* The Task page: everything about one (environment, task) pair. */
import type { Metadata } from 'next'
import { TaskPage } from '@/components/task/task-page'

export const metadata: Metadata = { title: 'Task' }

export default async function Page({ params }: { params: Promise<{ run: string; task: string }> }) {
  const { run, task } = await params
  return <TaskPage run={decodeURIComponent(run)} task={decodeURIComponent(task)} />
}
