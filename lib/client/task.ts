/** Queries of tasks and of the evidence behind a prediction. */
import { queryOptions } from '@tanstack/react-query'
import type { EvidenceView } from '@/lib/contract/evidence'
import type { List } from '@/lib/contract/page'
import type { TaskDetail, TaskRow } from '@/lib/contract/task'
import { get } from './request'

export interface TaskFilter {
  environment?: string
  /** part of the key or text */
  q?: string
  sort?: 'variance' | 'key' | 'groups'
  limit?: number
  cursor?: string
}

export const tasksQuery = (run: string, filter: TaskFilter = {}) =>
  queryOptions({
    queryKey: ['run', run, 'tasks', filter],
    queryFn: ({ signal }) => get<List<TaskRow>>(`/runs/${run}/tasks`, { ...filter }, signal),
  })

export const taskQuery = (run: string, task: string) =>
  queryOptions({
    queryKey: ['run', run, 'task', task],
    queryFn: ({ signal }) => get<TaskDetail>(`/runs/${run}/tasks/${task}`, {}, signal),
  })

/** `batch` null = now; else as of that batch. */
export const evidenceQuery = (run: string, task: string, batch: number | null = null) =>
  queryOptions({
    // a past batch never changes, and folding the log up to it is work
    queryKey: batch === null ? ['run', run, 'evidence', task, null] : ['past', run, 'evidence', task, batch],
    staleTime: batch === null ? 30_000 : Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => get<EvidenceView>(`/runs/${run}/tasks/${task}/evidence`, { batch }, signal),
  })
