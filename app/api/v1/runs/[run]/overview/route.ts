/* Is it learning, is the scheduler earning its keep. */

import { endpoint } from '@/app/api/v1/endpoint'
import { readOverview } from '@/lib/service/read-run-pages'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params }) => readOverview(runtime, params.run))
