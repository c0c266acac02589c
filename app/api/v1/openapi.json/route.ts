/* The protocol as OpenAPI 3.1; needs no token. */
import { openApi } from '@/lib/contract/openapi'

export const GET = (): Response => Response.json(openApi())
