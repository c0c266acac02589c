/* Addresses under /api that no call has: said in the one error shape, not as a page. */

import { errorAnswer } from '@/app/api/v1/endpoint'
import { ServiceError } from '@/lib/service/service-error'

function unknownCall(request: Request): Response {
  const { pathname } = new URL(request.url)
  const message = `There is no call "${request.method} ${pathname}": /api/v1/openapi.json lists those that there are.`
  return errorAnswer(new ServiceError(404, 'not_found', message), pathname)
}

export { unknownCall as DELETE, unknownCall as GET, unknownCall as PATCH, unknownCall as POST, unknownCall as PUT }
