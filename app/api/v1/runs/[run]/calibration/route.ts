/* How well each predictor did, and whether the graph helps. */

import { endpoint } from '@/app/api/v1/endpoint'
import { readCalibration } from '@/lib/service/read-run-pages'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params }) => readCalibration(runtime, params.run))
