import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CALLS } from '@/lib/contract/calls'
import { openApi } from '@/lib/contract/openapi'

const ROOT = path.resolve('app/api/v1')

function routes(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inner = path.join(folder, entry.name)
    if (entry.isDirectory()) return routes(inner)
    return entry.name === 'route.ts' ? [folder] : []
  })
}

test('every route is in the document, and every call has a route', () => {
  const found = routes(ROOT)
    .map((folder) => `/${path.relative(ROOT, folder).replaceAll('[', '{').replaceAll(']', '}')}`)
    .filter((route) => route !== '/openapi.json')
    .sort()
  expect([...new Set(CALLS.map((call) => call.path))].sort()).toEqual(found)
})

test('the document is complete JSON with schemas of bodies and answers', () => {
  const document = JSON.parse(JSON.stringify(openApi())) as {
    openapi: string
    paths: Record<string, Record<string, unknown>>
  }
  expect(document.openapi).toBe('3.1.0')
  const ask = document.paths['/runs/{run}/batches']?.post
  expect(ask).toMatchObject({
    parameters: [{ name: 'run', in: 'path' }],
    requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
  })
  expect(JSON.stringify(ask)).toContain('requestId')
})
