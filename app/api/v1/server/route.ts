/* The server itself: address, database, disk, who is signed in. */

import { endpoint } from '@/app/api/v1/endpoint'
import { readServerInfo } from '@/lib/service/server-info'

export const GET = endpoint('view', ({ runtime, who, now }) => readServerInfo(runtime, who, now))
