'use client'
/* Owns the first line of the Task page: search, the task's environment and text, and what a person can do with it. */
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { SteerMenu } from '@/components/steering/steer-menu'
import { TargetSearch } from '@/components/steering/target-search'
import { ButtonLink } from '@/components/ui/button'
import { EnvTag } from '@/components/ui/env-tag'
import { useKeys } from '@/components/ui/use-keys'
import type { TaskDetail } from '@/lib/contract/task'

export function TaskBar({ run, task }: { run: string; task: TaskDetail | undefined }) {
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  const base = `/runs/${encodeURIComponent(run)}`
  useKeys({ '/': () => input.current?.focus() })
  const id = encodeURIComponent(task?.task.id ?? '')
  return (
    <div className="-mt-[2px] mb-2 flex flex-wrap items-center gap-2">
      <TargetSearch
        run={run}
        environments={[]}
        tasks
        label="Search a task"
        placeholder="Search a task"
        width={228}
        input={input}
        after={<kbd>/</kbd>}
        onFound={(found) => {
          if (found.kind === 'task') router.push(`${base}/tasks/${encodeURIComponent(found.task.id)}`)
        }}
      />
      {task !== undefined && (
        <>
          <b className="max-w-[36ch] truncate font-medium" title={task.task.key}>
            {task.task.key}
          </b>
          <EnvTag environment={task.task.environment} />
          <span className="min-w-0 flex-1 basis-40 truncate text-ink-2" title={task.text ?? undefined}>
            {task.text ?? task.task.environment.name}
          </span>
          <SteerMenu run={run} task={task.task} environment={task.task.environment} align="end" />
          <ButtonLink icon="graph" href={`${base}/graph?task=${id}`}>
            Evidence in the graph
          </ButtonLink>
        </>
      )}
    </div>
  )
}
