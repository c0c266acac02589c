/** Queries of task sets. */
import { queryOptions } from '@tanstack/react-query'
import type { TaskSetDetail } from '@/lib/contract/task-set'
import { get } from './request'

export const taskSetQuery = (taskSet: string) =>
  queryOptions({
    queryKey: ['task-set', taskSet],
    queryFn: ({ signal }) => get<TaskSetDetail>(`/task-sets/${taskSet}`, {}, signal),
  })
