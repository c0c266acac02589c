/* The live check of a trainer: the one that started last, or that of `run`. */
import { endpoint } from '@/app/api/v1/endpoint'
import { readConnect } from '@/lib/service/connect-trainer'

export const GET = endpoint('view', ({ runtime, query, now }) =>
  readConnect(runtime, query.get('run'), now, openedOf(query.get('opened'))),
)

function openedOf(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
