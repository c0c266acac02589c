/** Queries of task sets. */
import { queryOptions } from '@tanstack/react-query'
import type { List } from '@/lib/contract/page'
import type { TaskSetDetail, TaskSetSummary } from '@/lib/contract/task-set'
import { get } from './request'

export const taskSetQuery = (taskSet: string) =>
  queryOptions({
    queryKey: ['task-set', taskSet],
    queryFn: ({ signal }) => get<TaskSetDetail>(`/task-sets/${taskSet}`, {}, signal),
  })

/** Changes with imports and new runs only: whoever makes one calls for it again. */
export const taskSetsQuery = () =>
  queryOptions({
    queryKey: ['task-sets'],
    queryFn: ({ signal }) => get<List<TaskSetSummary>>('/task-sets', { limit: 100 }, signal),
  })
