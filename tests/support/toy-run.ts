/**
 * A small task set and a trainer whose rewards are a hash of (task, policy version, rollout): the same history every time,
 * so that two runs can be compared to the bit.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Principal } from '@/lib/contract/access'
import type { BatchAnswer } from '@/lib/contract/batch'
import type { TaskSetInput } from '@/lib/contract/task-set'
import { createRun } from '@/lib/service/create-run'
import { registerTaskSet } from '@/lib/service/register-task-set'
import { reportRollouts } from '@/lib/service/report-rollouts'
import { requestBatch } from '@/lib/service/request-batch'
import { closeRuntime, openRuntime, type Runtime } from '@/lib/service/runtime'
import { readSettings } from '@/lib/service/settings'

export const OPERATOR: Principal = { name: 'mira', scope: 'operate' }
/** Tests' own clock: epoch milliseconds that only move when a test says so. */
export const START = Date.UTC(2026, 10, 29)

const TOOLS = ['search_orders', 'read_order', 'update_order', 'cancel_order', 'send_message', 'create_refund']

export function toyTaskSet(environments = 4, tasksEach = 12, name = 'toy'): TaskSetInput {
  return {
    name,
    environments: Array.from({ length: environments }, (_, e) => ({
      key: `shop/${e}`,
      name: `Shop ${e}`,
      tools: TOOLS.map((tool) => ({ name: tool })),
      verifier: { kind: 'state', checks: ['order'] },
      rewardRange: [0, 1] as [number, number],
    })),
    tasks: Array.from({ length: environments * tasksEach }, (_, i) => ({
      environment: `shop/${i % environments}`,
      key: `task/${Math.floor(i / environments)}`,
      text: `Order ${i}: find it and change it.`,
      tools: TOOLS.filter((_tool, t) => (i * 7 + t * 3) % 5 < 2),
      payload: { prompt: `do ${i}` },
    })),
  }
}

export async function openTestRuntime(
  url: string,
  env: Record<string, string> = {},
): Promise<Runtime & { end(): Promise<void> }> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'envsched-runtime-'))
  const runtime = await openRuntime(
    readSettings({ NODE_ENV: 'test', ...env, ENVSCHED_DATA: dataDir, DATABASE_URL: url }),
    false,
  )
  return {
    ...runtime,
    async end() {
      await closeRuntime(runtime)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export async function startToyRun(
  runtime: Runtime,
  options: { key?: string; seed?: string; mode?: 'choose' | 'shadow'; config?: object; set?: TaskSetInput } = {},
): Promise<string> {
  const catalog = await registerTaskSet(runtime, options.set ?? toyTaskSet(), START)
  const { key = null, seed = 'seed', mode = 'choose', config = {} } = options
  const run = await createRun(
    runtime,
    { taskSet: catalog.id, name: 'toy run', key, seed, mode, config },
    OPERATOR,
    START,
  )
  return run.id
}

/** A reward of 0 or 1 that depends on nothing but its names; harder tasks are solved less. */
export function toyReward(task: string, policyVersion: number, rollout: number): number {
  let hash = 2166136261
  for (const sign of `${task}/${rollout}/${policyVersion}`) hash = Math.imul(hash ^ sign.charCodeAt(0), 16777619) >>> 0
  let level = 2166136261
  for (const sign of task) level = Math.imul(level ^ sign.charCodeAt(0), 16777619) >>> 0
  const chance = ((level >>> 8) % 100) / 100 + policyVersion * 0.01
  return (hash >>> 8) % 1000 < chance * 1000 ? 1 : 0
}

export async function ask(runtime: Runtime, run: string, step: number, size = 8, groupSize = 4): Promise<BatchAnswer> {
  return requestBatch(
    runtime,
    run,
    { requestId: `step-${step}`, size, groupSize, policyVersion: step },
    START + step * 60_000,
  )
}

export async function answer(runtime: Runtime, run: string, step: number, batch: BatchAnswer): Promise<void> {
  const rollouts = batch.picks.flatMap((pick) =>
    Array.from({ length: pick.groupSize }, (_, k) => ({
      id: `${pick.lease}-${k}`,
      lease: pick.lease,
      environment: pick.environment,
      task: pick.task,
      policyVersion: step,
      reward: toyReward(`${pick.environment} ${pick.task}`, step, k),
      turns: 3 + k,
      seconds: 1.5,
      messages: [{ role: 'user', content: 'hello' }],
    })),
  )
  await reportRollouts(runtime, run, rollouts, START + step * 60_000 + 30_000)
}

/** Trains `steps` policies from `from` on; answers the keys of every pick, batch by batch. */
export async function train(runtime: Runtime, run: string, from: number, steps: number): Promise<string[][]> {
  const chosen: string[][] = []
  for (let step = from; step < from + steps; step += 1) {
    const batch = await ask(runtime, run, step)
    chosen.push(batch.picks.map((pick) => `${pick.slot} ${pick.environment} ${pick.task}`))
    await answer(runtime, run, step, batch)
  }
  return chosen
}
