/* Liveness: answers when the database does. Needs no token and tells nothing else. */
import { getRuntime } from '@/lib/service/runtime'

export const dynamic = 'force-dynamic'

export async function GET(): Promise<Response> {
  try {
    await getRuntime()
    return Response.json({ status: 'ok' })
  } catch {
    return Response.json({ status: 'down' }, { status: 503 })
  }
}
