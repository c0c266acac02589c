/**
 * The trainer protocol as an OpenAPI 3.1 document, made from the zod contracts: nothing is written twice.
 * Owns: the table of calls. Must never know: how they are answered.
 */
import { z } from 'zod'
import { serverInfo } from './access'
import { batchAnswer, batchDetail, batchRequest, batchSummary } from './batch'
import { changes } from './change'
import { environmentRow, environmentSeries } from './environment'
import { evidence } from './evidence'
import { graph } from './graph'
import { importJob } from './import-job'
import { alarm, overview, pattern } from './overview'
import { errorBody, listOf } from './page'
import { rolloutInput, rolloutRow, rolloutsAnswer, scoreInput } from './rollout'
import { runDetail, runInput, runPatch, runSummary } from './run'
import { override, steering } from './steering'
import { taskDetail, taskRow } from './task'
import { taskSetDetail, taskSetInput, taskSetSummary } from './task-set'

interface Call {
  method: 'get' | 'post' | 'patch' | 'delete'
  path: string
  summary: string
  scope: 'view' | 'report' | 'operate'
  query?: string[]
  body?: z.ZodType
  answer: z.ZodType
}

const plain = z.record(z.string(), z.unknown())
const paged = ['limit', 'cursor', 'format']
const run = '/runs/{run}'

export const CALLS: Call[] = [
  {
    method: 'post',
    path: '/task-sets',
    summary:
      'Register environments and tasks; the same content gives the same set. Also as NDJSON, environments first.',
    scope: 'report',
    query: ['name'],
    body: taskSetInput,
    answer: taskSetDetail,
  },
  {
    method: 'get',
    path: '/task-sets',
    summary: 'Task sets, newest first',
    scope: 'view',
    query: paged,
    answer: listOf(taskSetSummary),
  },
  {
    method: 'get',
    path: '/task-sets/{taskSet}',
    summary: 'One task set with its environments',
    scope: 'view',
    answer: taskSetDetail,
  },
  {
    method: 'post',
    path: '/runs',
    summary: 'Start a run; the same key and task set give the same run',
    scope: 'report',
    body: runInput,
    answer: runDetail,
  },
  {
    method: 'get',
    path: '/runs',
    summary: 'Runs, newest first',
    scope: 'view',
    query: paged,
    answer: listOf(runSummary),
  },
  { method: 'get', path: run, summary: 'State and headline numbers of a run', scope: 'view', answer: runDetail },
  {
    method: 'patch',
    path: run,
    summary: 'Finish or fail a run (report); pause, resume or rename it (operate)',
    scope: 'report',
    body: runPatch,
    answer: runSummary,
  },
  {
    method: 'post',
    path: `${run}/batches`,
    summary: 'Ask for a batch; the same requestId gives the same batch',
    scope: 'report',
    body: batchRequest,
    answer: batchAnswer,
  },
  {
    method: 'get',
    path: `${run}/batches`,
    summary: 'Batches, newest first; include=picks adds decision records',
    scope: 'view',
    query: [...paged, 'include'],
    answer: listOf(z.union([batchDetail, batchSummary])),
  },
  {
    method: 'get',
    path: `${run}/batches/{batch}`,
    summary: 'One batch with decision records and what came back',
    scope: 'view',
    query: ['format'],
    answer: batchDetail,
  },
  {
    method: 'post',
    path: `${run}/rollouts`,
    summary: 'Report rollouts: a JSON array or NDJSON; one bad rollout never loses the others',
    scope: 'report',
    body: z.array(rolloutInput),
    answer: rolloutsAnswer,
  },
  {
    method: 'get',
    path: `${run}/rollouts`,
    summary: 'Rollouts, newest first',
    scope: 'view',
    query: [...paged, 'task', 'lease', 'status', 'environment'],
    answer: listOf(rolloutRow),
  },
  {
    method: 'post',
    path: `${run}/leases/{lease}/release`,
    summary: 'Give a pick back',
    scope: 'report',
    answer: z.object({ lease: z.string(), state: z.string() }),
  },
  {
    method: 'post',
    path: `${run}/scores`,
    summary: "The trainer's own evaluation",
    scope: 'report',
    body: scoreInput,
    answer: z.object({ stored: z.boolean() }),
  },
  {
    method: 'get',
    path: `${run}/changes`,
    summary: 'What moved since a cursor',
    scope: 'view',
    query: ['since'],
    answer: changes,
  },
  { method: 'get', path: `${run}/events`, summary: 'The same as server-sent events', scope: 'view', answer: changes },
  {
    method: 'get',
    path: `${run}/overview`,
    summary: 'Yield, informative share on chosen and uniform slots, rewards, coverage',
    scope: 'view',
    answer: overview,
  },
  {
    method: 'get',
    path: `${run}/environments`,
    summary: 'One row an environment',
    scope: 'view',
    query: paged,
    answer: listOf(environmentRow),
  },
  {
    method: 'get',
    path: `${run}/series`,
    summary: 'One point a batch and environment',
    scope: 'view',
    query: ['last'],
    answer: environmentSeries,
  },
  {
    method: 'get',
    path: `${run}/patterns`,
    summary: 'Interaction patterns and their coverage',
    scope: 'view',
    query: paged,
    answer: listOf(pattern),
  },
  {
    method: 'get',
    path: `${run}/alarms`,
    summary: 'Alarms that hold now, worst first',
    scope: 'view',
    query: paged,
    answer: listOf(alarm),
  },
  {
    method: 'get',
    path: `${run}/tasks`,
    summary: 'Tasks with their predictions',
    scope: 'view',
    query: [...paged, 'environment', 'key', 'q', 'sort'],
    answer: listOf(taskRow),
  },
  {
    method: 'get',
    path: `${run}/tasks/{task}`,
    summary: 'Everything about one task',
    scope: 'view',
    answer: taskDetail,
  },
  {
    method: 'get',
    path: `${run}/tasks/{task}/evidence`,
    summary: 'The exact evidence behind one prediction, now or as of a batch',
    scope: 'view',
    query: ['batch'],
    answer: evidence,
  },
  {
    method: 'get',
    path: `${run}/graph`,
    summary: 'The dual-relation graph; format=gexf or csv for other tools',
    scope: 'view',
    query: ['kinds', 'minWeight', 'format'],
    answer: graph,
  },
  {
    method: 'get',
    path: `${run}/predictions`,
    summary: 'Predictions made before each group was absorbed, and what was realised',
    scope: 'view',
    query: paged,
    answer: listOf(plain),
  },
  {
    method: 'get',
    path: `${run}/steering`,
    summary: 'Settings in force, quotas, overrides',
    scope: 'view',
    answer: steering,
  },
  {
    method: 'get',
    path: `${run}/overrides`,
    summary: 'Overrides, newest first',
    scope: 'view',
    query: paged,
    answer: listOf(override),
  },
  {
    method: 'get',
    path: `${run}/audit`,
    summary: 'Who did what, newest first',
    scope: 'view',
    query: paged,
    answer: listOf(plain),
  },
  {
    method: 'post',
    path: '/imports',
    summary: 'Import files as multipart form data, each as "file"',
    scope: 'operate',
    query: ['name'],
    answer: importJob,
  },
  { method: 'get', path: '/imports/{import}', summary: 'Progress of an import', scope: 'view', answer: importJob },
  {
    method: 'delete',
    path: '/imports/{import}',
    summary: 'Stop an import; what is stored stays',
    scope: 'operate',
    answer: importJob,
  },
  { method: 'get', path: '/server', summary: 'The server itself', scope: 'view', answer: serverInfo },
]

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
