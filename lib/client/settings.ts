/** Queries of Settings. They do not start with ['run', id]: nothing here changes with each report, and sums are not for each poll. */
import { queryOptions } from '@tanstack/react-query'
import type { DiskUse } from '@/lib/contract/disk'
import type { ExportList } from '@/lib/contract/export'
import type { KeepRule, KeepState } from '@/lib/contract/keep'
import type { TokenList } from '@/lib/contract/token'
import type { WebhookState } from '@/lib/contract/webhook'
import { get } from './request'

const PACE_MS = 20_000
const TOKEN_PACE_MS = 15_000

export const tokensQuery = () =>
  queryOptions({
    queryKey: ['tokens'],
    queryFn: ({ signal }) => get<TokenList>('/tokens', {}, signal),
    refetchInterval: TOKEN_PACE_MS,
  })

export const diskQuery = (run: string) =>
  queryOptions({
    queryKey: ['settings', run, 'disk'],
    queryFn: ({ signal }) => get<DiskUse>(`/runs/${run}/disk`, {}, signal),
    refetchInterval: PACE_MS,
  })

/** The rule in force, and what it or `draft` would free. */
export const keepQuery = (run: string, draft: KeepRule | null) =>
  queryOptions({
    queryKey: ['settings', run, 'keep', draft],
    queryFn: ({ signal }) => get<KeepState>(`/runs/${run}/keep`, { ...draft }, signal),
  })

/** Where alarms are told; asked again soon, since a delivery may be on its way. */
export const webhookQuery = (run: string) =>
  queryOptions({
    queryKey: ['settings', run, 'webhook'],
    queryFn: ({ signal }) => get<WebhookState>(`/runs/${run}/webhook`, {}, signal),
    refetchInterval: PACE_MS,
  })

export const exportsQuery = (run: string) =>
  queryOptions({
    queryKey: ['settings', run, 'exports'],
    queryFn: ({ signal }) => get<ExportList>(`/runs/${run}/exports`, {}, signal),
  })
