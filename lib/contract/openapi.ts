/**
 * The trainer protocol as an OpenAPI 3.1 document, made from the zod contracts: nothing is written twice.
 */
import { z } from 'zod'
import { CALLS } from './calls'
import { errorBody } from './page'

const jsonOf = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return { 'application/json': { schema: made } }
}

export function openApi(): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { method, path, summary, scope, query, body, answer } of CALLS) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }))
    const asked = (query ?? []).map((name) => ({ name, in: 'query', required: false, schema: { type: 'string' } }))
    const failed = { description: 'Refused: one error shape for all calls', content: jsonOf(errorBody, 'output') }
    paths[path] = {
      ...paths[path],
      [method]: {
        summary,
        description: `Needs the scope "${scope}".`,
        parameters: [...named, ...asked],
        ...(body === undefined ? {} : { requestBody: { required: true, content: jsonOf(body, 'input') } }),
        responses: { '200': { description: 'The answer', content: jsonOf(answer, 'output') }, default: failed },
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'EnvSched trainer protocol',
      version: '1',
      description: 'A scheduler for reinforcement learning of language agents.',
    },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths,
  }
}
