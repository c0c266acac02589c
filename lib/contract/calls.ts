/**
 * The table of calls of the trainer protocol, each with its scope and contracts.
 * Owns: which calls there are. Must never know: how they are answered. A test holds it against the routes.
 */
import { z } from 'zod'
import { serverInfo } from './access'
import { batchAnswer, batchDetail, batchListQuery, batchRequest, batchSummary } from './batch'
import { calibration } from './calibration'
import { type Call, CSV, get, patch, post, put, remove, table } from './call'
import { changes, changesQuery } from './change'
import { compareQuery, comparison } from './comparison'
import { connectQuery, connectState } from './connect'
import { diskUse } from './disk'
import { environmentRow, environmentSeries, seriesQuery } from './environment'
import { evidence } from './evidence'
import { exportList, exportQuery } from './export'
import { graph, graphFigures, graphQuery, graphSelection } from './graph'
import { IMPORT_CALLS } from './import-calls'
import { freed, keepQuery, keepRule, keepState, kept } from './keep'
import { effectQuery, overrideEffect } from './override-effect'
import { alarm, alarmQuiet, overview, pattern } from './overview'
import { listOf, tableQuery } from './page'
import { replayJob } from './replay'
import { rolloutInput, rolloutListQuery, rolloutRow, rolloutsAnswer, scoreInput } from './rollout'
import { rolloutDetail, rolloutExportQuery, rolloutGroupQuery, rolloutGroups, rolloutQuery } from './rollout-group'
import { deletedRun, deleteQuery, runDetail, runInput, runPatch, runSummary } from './run'
import { restoreAnswer, restoreInput, schedulerState } from './state'
import { override, steering } from './steering'
import { evidenceQuery, taskDetail, taskListQuery, taskRow } from './task'
import { environmentInput, taskInput, taskSetDetail, taskSetInput, taskSetQuery, taskSetSummary } from './task-set'
import { newToken, revokeQuery, tokenInput, tokenList } from './token'
import { webhookInput, webhookSet, webhookState } from './webhook'

/** Whatever stands in a rollout, it is refused by itself in the answer, never the report. */
const reportedRollout = z.union([rolloutInput, z.unknown()])

const plain = z.record(z.string(), z.unknown())
const EXPORT_TYPES = [
  'application/zip',
  'application/gzip',
  'application/x-ndjson',
  'text/csv',
  'application/vnd.apache.parquet',
  'application/gexf+xml',
]
const run = '/runs/{run}'

export const CALLS: Call[] = [
  post(
    '/task-sets',
    'report',
    'Register environments and tasks; the same content gives the same set. Also as NDJSON, environments first.',
    taskSetDetail,
    { query: taskSetQuery, body: taskSetInput, lines: z.union([environmentInput, taskInput]) },
  ),
  get('/task-sets', 'view', 'Task sets, newest first', listOf(taskSetSummary), table),
  get('/task-sets/{taskSet}', 'view', 'One task set with its environments', taskSetDetail),
  post('/runs', 'report', 'Start a run; the same key and task set give the same run', runDetail, { body: runInput }),
  get('/runs', 'view', 'Runs, newest first', listOf(runSummary), table),
  get(run, 'view', 'State and headline numbers of a run', runDetail),
  patch(run, 'report', 'Finish or fail a run (report); pause, resume or rename it (operate)', runSummary, {
    body: runPatch,
  }),
  remove(run, 'operate', 'Delete a run; its task set stays. With name, only if that is its name', deletedRun, {
    query: deleteQuery,
  }),
  post(`${run}/batches`, 'report', 'Ask for a batch; the same requestId gives the same batch', batchAnswer, {
    body: batchRequest,
  }),
  get(
    `${run}/batches`,
    'view',
    'Batches, newest first; include=picks adds decision records',
    listOf(z.union([batchDetail, batchSummary])),
    { query: batchListQuery, files: CSV },
  ),
  get(`${run}/batches/{batch}`, 'view', 'One batch with decision records and what came back', batchDetail, {
    query: tableQuery,
    files: CSV,
  }),
  post(
    `${run}/rollouts`,
    'report',
    'Report rollouts: a JSON array or NDJSON; one bad rollout never loses the others',
    rolloutsAnswer,
    { body: z.union([z.array(reportedRollout), reportedRollout]), lines: reportedRollout },
  ),
  get(`${run}/rollouts`, 'view', 'Rollouts, newest first', listOf(rolloutRow), {
    query: rolloutListQuery,
    files: CSV,
  }),
  get(`${run}/rollouts/{rollout}`, 'view', 'One rollout with its messages and its group', rolloutDetail, {
    query: rolloutQuery,
  }),
  get(
    `${run}/rollouts/export`,
    'view',
    'All rollouts that match, as a stream: format=jsonl has the messages, csv and json have the rows',
    z.array(rolloutRow),
    { query: rolloutExportQuery, files: { types: ['text/csv', 'application/x-ndjson'], only: false } },
  ),
  get(`${run}/groups`, 'view', 'Groups of rollouts, newest first, with those that match', rolloutGroups, {
    query: rolloutGroupQuery,
  }),
  post(
    `${run}/leases/{lease}/release`,
    'report',
    'Give a pick back',
    z.object({ lease: z.string(), state: z.string() }),
  ),
  post(`${run}/scores`, 'report', "The trainer's own evaluation", z.object({ stored: z.boolean() }), {
    body: scoreInput,
  }),
  get(`${run}/state`, 'report', "The scheduler's state for a trainer's checkpoint: small", schedulerState),
  put(
    `${run}/state`,
    'report',
    'Go back to a state, or take over the history of another run; tasks that changed are matched and told',
    restoreAnswer,
    { body: restoreInput },
  ),
  get(`${run}/changes`, 'view', 'What moved since a cursor', changes, { query: changesQuery }),
  get(`${run}/events`, 'view', 'The same as server-sent events; Last-Event-ID goes on after that cursor', z.string(), {
    files: { types: ['text/event-stream'], only: true },
  }),
  get(`${run}/overview`, 'view', 'Yield, informative share on chosen and uniform slots, rewards, coverage', overview),
  get(
    `${run}/calibration`,
    'view',
    'How well each predictor did, weights over batches, and whether the graph helps in this run',
    calibration,
  ),
  get(`${run}/environments`, 'view', 'One row an environment', listOf(environmentRow), table),
  get(`${run}/series`, 'view', 'One point a batch and environment', environmentSeries, {
    query: seriesQuery,
  }),
  get(`${run}/patterns`, 'view', 'Interaction patterns and their coverage', listOf(pattern), table),
  get(`${run}/alarms`, 'view', 'Alarms that hold now, worst first', listOf(alarm), table),
  patch(
    `${run}/alarms/{alarm}`,
    'operate',
    'Keep an alarm quiet for some batches or until it is over; 0 tells it again',
    listOf(alarm),
    {
      body: alarmQuiet,
    },
  ),
  get(`${run}/webhook`, 'view', 'Where the alarms of a run are told, and how the newest delivery ended', webhookState),
  put(`${run}/webhook`, 'operate', 'Set it; the secret that signs is in this answer only', webhookSet, {
    body: webhookInput,
  }),
  remove(`${run}/webhook`, 'operate', 'Tell nobody any more', webhookState),
  post(`${run}/webhook/test`, 'operate', 'Send one delivery now', webhookState),
  get(`${run}/tasks`, 'view', 'Tasks with their predictions', listOf(taskRow), {
    query: taskListQuery,
    files: CSV,
  }),
  get(`${run}/tasks/{task}`, 'view', 'Everything about one task', taskDetail),
  get(
    `${run}/tasks/{task}/evidence`,
    'view',
    'The exact evidence behind one prediction, now or as of a batch',
    evidence,
    { query: evidenceQuery },
  ),
  get(
    `${run}/graph`,
    'view',
    'The dual-relation graph, now or as of a batch: tasks and edges, or environments above 10,000 tasks; format=gexf or csv',
    graph,
    { query: graphQuery, files: { types: ['text/csv', 'application/gexf+xml'], only: false } },
  ),
  get(`${run}/graph/figures`, 'view', 'What moves in the graph, for the same nodes in the same order', graphFigures, {
    query: graphSelection,
  }),
  get(
    `${run}/predictions`,
    'view',
    'Predictions made before each group was absorbed, and what was realised',
    listOf(plain),
    table,
  ),
  get(`${run}/steering`, 'view', 'Settings in force, quotas, overrides', steering),
  get(`${run}/overrides`, 'view', 'Overrides, newest first', listOf(override), table),
  get(
    `${run}/overrides/{override}/effect`,
    'view',
    'The run before and after one override, over `batches` batches on each side, and what else changed in them',
    overrideEffect,
    { query: effectQuery },
  ),
  get(`${run}/audit`, 'view', 'Who did what, newest first', listOf(plain), table),
  get(`${run}/disk`, 'view', 'What the run and the server take on disk', diskUse),
  get(`${run}/keep`, 'view', 'Which trajectory text is kept, and what a rule would free', keepState, {
    query: keepQuery,
  }),
  patch(`${run}/keep`, 'operate', 'Change which trajectory text is kept, and drop the rest at once', kept, {
    body: keepRule,
  }),
  remove(`${run}/trajectories`, 'operate', 'Drop all trajectory text; numbers of rollouts stay', freed),
  get(`${run}/exports`, 'view', 'Files of the run with their formats and guessed sizes', exportList),
  get(
    `${run}/exports/{export}`,
    'view',
    'One of them as a stream: rollouts, picks, predictions, graph, steering',
    z.string(),
    {
      query: exportQuery,
      files: { types: EXPORT_TYPES, only: true },
    },
  ),
  get('/tokens', 'view', 'Access tokens, and what each scope may do', tokenList),
  post('/tokens', 'operate', 'Make a token; its text is in this answer only', newToken, { body: tokenInput }),
  remove(
    '/tokens/{token}',
    'operate',
    'Revoke a token; the last one that may operate only with anyway=true',
    tokenList,
    {
      query: revokeQuery,
    },
  ),
  ...IMPORT_CALLS,
  get(`${run}/replay`, 'view', 'What EnvSched would have chosen on this history: progress and report', replayJob),
  get('/compare', 'view', 'Up to six runs, between commas, on one axis: steps, rollouts or tokens', comparison, {
    query: compareQuery,
  }),
  get(
    '/connect',
    'view',
    'How far a trainer has come, and what is wrong with it: the one that started last, or of a run',
    connectState,
    {
      query: connectQuery,
    },
  ),
  get('/server', 'view', 'The server itself', serverInfo),
]
