/* Imports: files as multipart form data, `file` once or more; `name` names what they become. */

import { endpoint } from '@/app/api/v1/endpoint'
import { startImport } from '@/lib/service/import-files'
import { ServiceError } from '@/lib/service/service-error'

export const POST = endpoint('operate', async ({ runtime, request, query, who }) => {
  const form = await request.formData().catch(() => {
    throw new ServiceError(400, 'bad_form', 'Send the files as multipart form data, each as "file".')
  })
  const uploads = form.getAll('file').filter((value): value is File => typeof value !== 'string')
  const files = uploads.map((upload) => ({
    name: upload.name,
    open: () => upload.stream() as AsyncIterable<Uint8Array> & ReadableStream<Uint8Array>,
  }))
  const given = form.get('name') ?? query.get('name')
  const name = typeof given === 'string' && given !== '' ? given : nameOf(uploads)
  const bytes = uploads.reduce((sum, upload) => sum + upload.size, 0)
  const { job } = await startImport(runtime, { name, files, bytes }, who, Date.now)
  return Response.json(job, { status: 202 })
})

/** The first file's name stands for the import; how many came with it is said. */
function nameOf(uploads: readonly File[]): string {
  const [first, ...others] = uploads
  if (first === undefined) return 'import'
  return others.length === 0 ? first.name : `${first.name} and ${others.length} more`
}
