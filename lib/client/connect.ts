/** The live check of a trainer, asked for again every two seconds. */
import { queryOptions } from '@tanstack/react-query'
import type { ConnectState } from '@/lib/contract/connect'
import { get } from './request'

/** `run` null: the one whose trainer started last. */
export const connectQuery = (run: string | null) =>
  queryOptions({
    queryKey: ['connect', run],
    queryFn: ({ signal }) => get<ConnectState>('/connect', { run }, signal),
    refetchInterval: 2000,
  })
