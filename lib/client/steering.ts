/** Queries of steering. Writes and previews are server actions, handed to components as props. */
import { queryOptions } from '@tanstack/react-query'
import type { Steering } from '@/lib/contract/steering'
import { get } from './request'

export const steeringQuery = (run: string) =>
  queryOptions({
    queryKey: ['run', run, 'steering'],
    queryFn: ({ signal }) => get<Steering>(`/runs/${run}/steering`, {}, signal),
  })
