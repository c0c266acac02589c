/* Imports: files as multipart form data, `file` once or more; `name` names what they become, `replay=1` asks for a replay after it,
   `mapping` says as JSON what the columns are, or "ask". */

import { endpoint, listAnswer, parseBody, parseQuery } from '@/app/api/v1/endpoint'
import { type ColumnMapping, columnMapping } from '@/lib/contract/column-mapping'
import { importQuery } from '@/lib/contract/import-job'
import { listQuery } from '@/lib/contract/page'
import { readImports, startImport } from '@/lib/service/imports/import-files'
import { dropUpload, receiveUpload } from '@/lib/service/imports/receive-upload'
import { ServiceError } from '@/lib/service/service-error'

export const POST = endpoint('operate', async ({ runtime, request, query, who }) => {
  const { folder, files, fields } = await receiveUpload(runtime.settings.dataDir, request)
  const asked = await told(folder, () =>
    parseBody('import', importQuery, { ...parseQuery(importQuery, query), ...fields }),
  )
  const name = asked.name === undefined || asked.name === '' ? nameOf(files.map((file) => file.name)) : asked.name
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const mapping = await told(folder, () => mappingIn(asked.mapping))
  const source = { name, disk: files, upload: folder, bytes, replay: asked.replay === '1', mapping }
  const { job } = await startImport(runtime, source, who, Date.now)
  return Response.json(job, { status: 202 })
})

export const GET = endpoint('view', async ({ runtime, query, now }) => {
  const { limit, cursor, format } = parseQuery(listQuery, query)
  return listAnswer(format, await readImports(runtime, { limit, cursor: Number(cursor ?? 0) }, now))
})

/** A form whose words cannot be read leaves no files behind. */
async function told<T>(folder: string, read: () => T): Promise<T> {
  try {
    return read()
  } catch (cause) {
    await dropUpload(folder)
    throw cause
  }
}

function mappingIn(text: string | undefined): ColumnMapping | 'ask' | null {
  if (text === undefined || text === '') return null
  if (text === 'ask') return text
  try {
    return parseBody('mapping', columnMapping, JSON.parse(text))
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError(422, 'invalid', 'The mapping is no JSON: give an object such as {"reward": "score"}.')
  }
}

/** The first file's name stands for the import; how many came with it is said. */
function nameOf(names: readonly string[]): string {
  const [first, ...others] = names
  if (first === undefined) return 'import'
  const plain = first.split('/').at(-1) ?? first
  const folder = first.includes('/') ? first.split('/')[0] : ''
  if (folder !== '' && folder !== undefined && names.every((one) => one.startsWith(`${folder}/`)))
    return others.length === 0 ? plain : `${folder}, ${names.length} files`
  return others.length === 0 ? plain : `${plain} and ${others.length} more`
}
