/* Settings in force with their ranges, quotas with their use, overrides and history. */

import { endpoint } from '@/app/api/v1/endpoint'
import { readSteering } from '@/lib/service/steering'

export const GET = endpoint<{ run: string }>('view', ({ runtime, params }) => readSteering(runtime, params.run))
