/* Imports: files as multipart form data, `file` once or more; `name` names what they become, `replay=1` asks for a replay after it. */

import { endpoint, listAnswer, parseBody, parseQuery } from '@/app/api/v1/endpoint'
import { importQuery } from '@/lib/contract/import-job'
import { listQuery } from '@/lib/contract/page'
import { readImports, startImport } from '@/lib/service/import-files'
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
  const asked = { ...parseQuery(importQuery, query), ...fieldsOf(form) }
  const { name: given, replay } = parseBody('import', importQuery, asked)
  const name = given === undefined || given === '' ? nameOf(uploads) : given
  const bytes = uploads.reduce((sum, upload) => sum + upload.size, 0)
  const { job } = await startImport(runtime, { name, files, bytes, replay: replay === '1' }, who, Date.now)
  return Response.json(job, { status: 202 })
})

export const GET = endpoint('view', async ({ runtime, query, now }) => {
  const { limit, cursor, format } = parseQuery(listQuery, query)
  return listAnswer(format, await readImports(runtime, { limit, cursor: Number(cursor ?? 0) }, now))
})

/** Its texts, over those of the query. */
const fieldsOf = (form: FormData) =>
  Object.fromEntries([...form].filter(([name, value]) => name !== 'file' && typeof value === 'string'))

/** The first file's name stands for the import; how many came with it is said. */
function nameOf(uploads: readonly File[]): string {
  const [first, ...others] = uploads
  if (first === undefined) return 'import'
  const plain = first.name.split('/').at(-1) ?? first.name
  const folder = first.name.includes('/') ? first.name.split('/')[0] : ''
  if (folder !== '' && folder !== undefined && uploads.every((one) => one.name.startsWith(`${folder}/`)))
    return others.length === 0 ? plain : `${folder}, ${uploads.length} files`
  return others.length === 0 ? plain : `${plain} and ${others.length} more`
}
