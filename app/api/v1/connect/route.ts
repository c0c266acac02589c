/* The live check of a trainer: the one that started last, or that of `run`. */
import { endpoint, parseQuery } from '@/app/api/v1/endpoint'
import { connectQuery } from '@/lib/contract/connect'
import { readConnect } from '@/lib/service/connect-trainer'

export const GET = endpoint('view', ({ runtime, query, now }) => {
  const { run, opened } = parseQuery(connectQuery, query)
  return readConnect(runtime, run ?? null, now, opened === undefined ? null : Number(opened))
})
