/**
 * Small valid rows for store tests: everything that a test does not name has a plain value.
 */
import type { Database, Tx } from '@/lib/store/database'
import type { GroupRow } from '@/lib/store/group'
import type { LeaseRow } from '@/lib/store/lease'
import type { NewRollout } from '@/lib/store/rollout'
import { createRun, type NewRun, type RunRow } from '@/lib/store/run'
import type { TaskRow } from '@/lib/store/task'
import { insertTasks } from '@/lib/store/task'
import { createTaskSet, insertEnvironments, type TaskSetRow } from '@/lib/store/task-set'

export const NOW = 1_790_000_000_123

export async function seedTaskSet(tx: Tx, tasks = 4): Promise<TaskSetRow> {
  const { taskSet } = await createTaskSet(tx, {
    name: 'set',
    fingerprint: `print-${tasks}`,
    createdAt: NOW,
    environmentCount: 1,
    taskCount: tasks,
    toolCount: 0,
    withinEdges: 0,
    crossEdges: 0,
    patternCount: 1,
    graphVersion: 1,
  })
  await insertEnvironments(tx, taskSet.id, [
    {
      ordinal: 0,
      key: 'env/0',
      name: 'Env',
      code: 'ENV',
      definition: { tools: [] },
      taskCount: tasks,
      x: 0,
      y: 0,
      radius: 1,
    },
  ])
  await insertTasks(
    tx,
    taskSet.id,
    Array.from({ length: tasks }, (_, ordinal) => taskRow(ordinal)),
  )
  return taskSet
}

export function taskRow(ordinal: number, patch: Partial<TaskRow> = {}): TaskRow {
  const plain = { text: null, tools: [], state: [], checks: [], payload: null, pattern: 'read', x: 0, y: 0 }
  return { ordinal, environment: 0, key: `task/${ordinal}`, contentHash: `h${ordinal}`, ...plain, ...patch }
}

export async function seedRun(database: Database, patch: Partial<NewRun> = {}): Promise<RunRow> {
  return await database.transaction(async (tx) => {
    const taskSet = await seedTaskSet(tx)
    const { run } = await createRun(tx, {
      key: null,
      name: 'run',
      taskSetId: taskSet.id,
      mode: 'choose',
      status: 'waiting',
      seed: '1',
      config: {},
      plannedSteps: null,
      model: null,
      algorithm: null,
      createdAt: NOW,
      ...patch,
    })
    return run
  })
}

export function rolloutRow(id: string, patch: Partial<NewRollout> = {}): NewRollout {
  return {
    id,
    group: 1,
    lease: 1,
    batch: 1,
    environment: 0,
    task: 0,
    policyVersion: 0,
    reward: 1,
    outcome: null,
    value: 1,
    status: 'ok',
    trusted: true,
    distrust: null,
    turns: null,
    tokens: null,
    seconds: null,
    tools: null,
    components: null,
    error: null,
    worker: null,
    at: NOW,
    superseded: false,
    ...patch,
  }
}

export function groupRow(number: number, patch: Partial<GroupRow> = {}): GroupRow {
  return {
    number,
    lease: null,
    batch: null,
    slot: null,
    task: 0,
    policyVersion: 0,
    late: false,
    state: 'open',
    completedOrder: null,
    logSeq: null,
    returned: 0,
    trusted: 0,
    sum: 0,
    sumSquares: 0,
    low: 0,
    high: 0,
    untrusted: 0,
    verifierErrors: 0,
    errors: 0,
    statuses: {},
    secondsSum: 0,
    secondsCount: 0,
    turnsSum: 0,
    turnsCount: 0,
    tokensSum: 0,
    tokensCount: 0,
    mean: null,
    realisedVariance: null,
    informative: null,
    predictedVariance: null,
    ability: null,
    deviation: null,
    spread: null,
    informativeProbability: null,
    varianceNoise: null,
    shares: null,
    told: null,
    completedAt: null,
    firstStage: null,
    restStage: null,
    secondStage: null,
    decidedBy: null,
    boughtBy: null,
    superseded: false,
    ...patch,
  }
}

export function leaseRow(number: number, patch: Partial<LeaseRow> = {}): LeaseRow {
  const issued = { groupSize: 8, policyVersion: 0, issuedAt: NOW, expiresAt: NOW + 3_600_000 }
  return { number, batch: 1, task: number, slot: 'score', ...issued, state: 'open', ...patch }
}
