/** The live check of a trainer, asked for again every two seconds. */
import { queryOptions } from '@tanstack/react-query'
import type { ConnectState } from '@/lib/contract/connect'
import { get } from './request'

/** `run` null: the one whose trainer started last and that was not over before `opened`, epoch milliseconds. */
export const connectQuery = (run: string | null, opened: number) =>
  queryOptions({
    queryKey: ['connect', run, opened],
    queryFn: ({ signal }) => get<ConnectState>('/connect', { run, opened }, signal),
    refetchInterval: 2000,
    // it is asked again at once: a failure has to be told at once, too
    retry: false,
  })
