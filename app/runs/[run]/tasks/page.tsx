/* The Task tab: leads to the last task that was looked at, or to the first. */
import { TaskEntry } from '@/components/shell/task-entry'

export default async function TasksPage({ params }: { params: Promise<{ run: string }> }) {
  return <TaskEntry run={decodeURIComponent((await params).run)} />
}
