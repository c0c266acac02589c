/**
 * The trainer protocol as an OpenAPI 3.1 document, made from the zod contracts: nothing is written twice.
 * Invariant: every status, header and type of answer that the server may give is in it (`tests/trainers` asks the running
 * server, over and over).
 */
import { z } from 'zod'
import type { Call } from './call'
import { CALLS } from './calls'
import { errorBody } from './page'

type Json = Record<string, unknown>

const REFUSALS: Record<number, string> = {
  400: 'The body is no JSON, no gzip, or no form',
  401: 'No token, or one that is not known, revoked or too old',
  403: 'The token has too small a scope, or the write comes from another site',
  404: 'There is nothing of that id, or no such call',
  409: 'It cannot be done now: the run is paused or over, a name differs, a change was undone',
  410: 'The run was deleted; who did it is said',
  413: 'The body is too large',
  415: 'The body is packed otherwise than as gzip',
  422: 'Something in the body or the query cannot be; the issues name it',
  500: 'A fault of the server; it is in its log',
}

/** Node refuses the head of a request by itself, with nothing in the answer. */
const TOO_LONG = { description: 'The address or a header is too long' }

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: pairOfOneKind })
  return made
}

/** A tuple of like items is a list of that length: the same, and more tools read it. */
function pairOfOneKind({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { prefixItems } = jsonSchema
  const [first] = prefixItems ?? []
  if (prefixItems === undefined || first === undefined) return
  if (prefixItems.some((item) => JSON.stringify(item) !== JSON.stringify(first))) return
  delete jsonSchema.prefixItems
  jsonSchema.items = first
  jsonSchema.minItems = prefixItems.length
  jsonSchema.maxItems = prefixItems.length
}

const named = (name: string): Json => ({ $ref: `#/components/${name}` })

function parametersOf({ path, query }: Call): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 300 },
  }))
  if (query === undefined) return inPath
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  const asked = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
  return [...inPath, ...asked]
}

function bodyOf({ body, lines, form }: Call): Json {
  const content: Json = {}
  if (body !== undefined) content['application/json'] = { schema: schemaOf(body, 'input') }
  if (lines !== undefined)
    content['application/x-ndjson'] = {
      schema: { type: 'string', description: 'One JSON object a line' },
      itemSchema: schemaOf(lines, 'input'),
    }
  if (form !== undefined) content['multipart/form-data'] = { schema: formOf(form) }
  return Object.keys(content).length === 0 ? {} : { requestBody: { required: true, content } }
}

function formOf(form: z.ZodType): Json {
  const made = schemaOf(form, 'input') as { properties: Record<string, Json> }
  const file = { type: 'array', minItems: 1, items: { type: 'string', contentMediaType: 'application/octet-stream' } }
  return { ...made, properties: { ...made.properties, file } }
}

function answersOf(call: Call): Json {
  const { answer, status = 200, files } = call
  const content: Json = files?.only === true ? {} : { 'application/json': { schema: schemaOf(answer, 'output') } }
  for (const type of files?.types ?? []) content[type] = { schema: { type: 'string' } }
  const headers =
    files === undefined
      ? { 'cache-control': named('headers/NoStore') }
      : { 'cache-control': named('headers/NoStore'), 'content-disposition': named('headers/FileName') }
  const responses: Json = { [status]: { description: 'The answer', headers, content } }
  for (const refused of refusalsOf(call)) responses[refused] = named(`responses/Refused${refused}`)
  return { ...responses, 431: TOO_LONG }
}

/** Statuses under which a call may be refused. */
function refusalsOf({ method, path, query, body, lines, form }: Call): number[] {
  const sent = body !== undefined || lines !== undefined || form !== undefined
  const ofRun = path.startsWith('/runs/{run}')
  const statuses = [401, 403, 500]
  if (sent) statuses.push(400, 413, 415, 422)
  else if (query !== undefined) statuses.push(422)
  if (path.includes('{') || path === '/runs' || path === '/compare' || path === '/connect') statuses.push(404)
  if (ofRun || path === '/compare' || path === '/connect') statuses.push(410)
  if (method !== 'get') statuses.push(409)
  return statuses.sort((a, b) => a - b)
}

export function openApi(): Json {
  const paths: Record<string, Json> = {}
  for (const call of CALLS) {
    const { method, path, summary, scope } = call
    paths[path] = {
      ...paths[path],
      [method]: {
        summary,
        operationId: `${method} ${path}`.replaceAll(/[^a-z]+/gi, '-').replace(/-$/, ''),
        description: `Needs the scope "${scope}".`,
        parameters: parametersOf(call),
        ...bodyOf(call),
        responses: answersOf(call),
      },
    }
  }
  const refused = Object.entries(REFUSALS).map(([status, description]) => [
    `Refused${status}`,
    { description, content: { 'application/json': { schema: named('schemas/Refusal') } } },
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'EnvSched trainer protocol',
      version: '1',
      description: 'A scheduler for reinforcement learning of language agents. Bodies may be packed as gzip.',
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: schemaOf(errorBody, 'output') },
      responses: Object.fromEntries(refused),
      headers: {
        NoStore: { description: 'Answers are of the moment', schema: { type: 'string' } },
        FileName: { description: 'Of a file, its name', schema: { type: 'string' } },
      },
    },
    paths,
  }
}
