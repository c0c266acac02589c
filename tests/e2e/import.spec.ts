import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import type { BatchAnswer, BatchDetail } from '@/lib/contract/batch'
import type { EnvironmentRow } from '@/lib/contract/environment'
import type { GraphView } from '@/lib/contract/graph'
import type { ImportJob } from '@/lib/contract/import-job'
import type { List } from '@/lib/contract/page'
import type { RolloutRow, RolloutsAnswer } from '@/lib/contract/rollout'
import type { RunDetail } from '@/lib/contract/run'
import type { TaskDetail, TaskRow } from '@/lib/contract/task'
import type { TaskRef, TaskSetDetail } from '@/lib/contract/task-set'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

const ROOT = path.resolve(import.meta.dirname, '../..')
const DATA = ['../shared/data', '../../shared/data'].map((place) => path.resolve(ROOT, place)).find(existsSync)
const SHOTS = process.env.E2E_SHOTS

interface Trial {
  task_id: number
  reward: number
  info: object
  traj: unknown[]
}

interface Prediction {
  task: TaskRef
  size: number
  prediction: { predictedVariance: number; deviation: number }
  mean: number | null
  realisedVariance: number | null
}

const trials = (name: string) =>
  JSON.parse(readFileSync(path.join(DATA ?? '', 'native/tau-bench', name), 'utf8')) as Trial[]

/** Unbiased variance; null under two values. */
function varianceOf(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true })
}

/** Remembers that a bar of progress was on the page, however short. */
async function watchForProgress(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen = new Set<string>()
    const look = () => {
      for (const bar of document.querySelectorAll('[role=progressbar]')) seen.add(bar.getAttribute('aria-label') ?? '')
      document.body.dataset.progressSeen = JSON.stringify([...seen])
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true })
  })
  return async () => JSON.parse((await page.evaluate(() => document.body.dataset.progressSeen)) ?? '[]') as string[]
}

test.describe('import of real files', () => {
  test.skip(DATA === undefined, 'The folder shared/data with real files is not beside the project.')
  let server: TestServer
  let folder: string
  const api = async <T>(at: string, body?: unknown) => (await server.api<T>(at, { body })).body
  const importOf = async (page: Page) =>
    api<ImportJob>(`/imports/${new URL(page.url()).searchParams.get('import') ?? ''}`)

  test.beforeAll(async () => {
    server = await startServer()
    folder = mkdtempSync(path.join(tmpdir(), 'envsched-import-'))
  })

  test.afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('results of tau-bench become a run in shadow mode', async ({ page }) => {
    const airline = trials('gpt-4o-airline-10tasks-4trials.json')
    const retail = trials('retail-grok3-graded-20tasks.json')
    // as tau-bench writes a trial that raised: reward 0, an error, no conversation; one of a task that has nothing else
    const broken = (task: number): Trial => ({
      task_id: task,
      reward: 0,
      info: { error: 'Connection reset by peer' },
      traj: [],
    })
    const nameless = { reward: 1, info: {}, traj: [] }
    const files = [
      { name: 'airline.json', text: JSON.stringify([...airline, broken(1), broken(1), broken(77), nameless]) },
      { name: 'retail.json', text: JSON.stringify(retail) },
    ]
    const heard = listenTo(page)
    await signIn(page, server)
    await expect(page.getByRole('region', { name: 'Drop history files here' })).toBeVisible()
    const progress = await watchForProgress(page)
    const dropped = await page.evaluateHandle((list) => {
      const data = new DataTransfer()
      for (const { name, text } of list) data.items.add(new File([text], name, { type: 'application/json' }))
      return data
    }, files)
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped })

    const rows = airline.length + retail.length + 3
    await expect(page).toHaveURL(/\/import\?import=/)
    await expect(
      page.getByRole('heading', {
        name: `Imported ${rows} of ${rows + 1} rows into a run. 1 row was skipped for 1 reason, each with its line.`,
      }),
    ).toBeVisible({ timeout: 30_000 })
    expect((await progress()).length).toBeGreaterThan(0)
    const kept = page.getByRole('table', { name: 'Kept rows' })
    await expect(kept.getByRole('row', { name: /infra error not counted 3 / })).toBeVisible()
    const skipped = page.getByRole('table', { name: 'Skipped rows by reason' })
    await expect(
      skipped.getByRole('row', {
        name: new RegExp(`a trial without a task_id .*airline.json .*1 ${airline.length + 4}$`),
      }),
    ).toBeVisible()
    const steps = page.getByRole('list', { name: 'Steps of the import' }).getByRole('listitem')
    await expect(steps).toHaveCount(5)
    for (const i of [0, 1, 2, 3]) await expect(steps.nth(i)).toHaveAttribute('data-state', 'ok')
    const mapping = page.getByRole('table', { name: 'How the file is read' })
    await expect(mapping.getByRole('row', { name: /^task task_id \d+$/ })).toBeVisible()
    await expect(page.getByRole('table', { name: 'What has come in' }).getByRole('row')).toHaveCount(2)
    await shoot(page, 'import-outcome')

    const job = await importOf(page)
    expect(job).toMatchObject({ state: 'done', accepted: rows, untrusted: { status: 3 } })
    const run = job.run ?? ''
    expect(await api<RunDetail>(`/runs/${run}`)).toMatchObject({ mode: 'shadow', status: 'finished', rollouts: rows })

    const errors = (await api<List<RolloutRow>>(`/runs/${run}/rollouts?status=infra_error&limit=100`)).items
    expect(errors.map(({ reward, trusted, distrust }) => ({ reward, trusted, distrust }))).toEqual(
      errors.map(() => ({ reward: null, trusted: false, distrust: 'status' })),
    )
    expect(errors).toHaveLength(3)

    const predictions = (await api<List<Prediction>>(`/runs/${run}/predictions?limit=1000`)).items
    const groups = new Map<string, number[]>()
    for (const [environment, list] of [
      ['airline', airline],
      ['retail', retail],
    ] as const)
      for (const trial of list) {
        const key = `${environment} ${trial.task_id}`
        groups.set(key, [...(groups.get(key) ?? []), trial.reward])
      }
    expect(predictions).toHaveLength(groups.size)
    for (const { task, prediction, size, mean, realisedVariance } of predictions) {
      const rewards = groups.get(`${task.environment.key} ${task.key}`) ?? []
      expect(size).toBe(rewards.length)
      expect(prediction.predictedVariance).toBeGreaterThan(0)
      expect(prediction.predictedVariance).toBeLessThanOrEqual(0.25)
      expect(mean).toBeCloseTo(rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length, 9)
      const realised = varianceOf(rewards)
      if (realised === null) expect(realisedVariance).toBeNull()
      else expect(realisedVariance).toBeCloseTo(realised, 9)
    }
    // a prediction made afterwards would know its own group: the first of all says what a run says that has seen nothing
    const first = predictions.at(-1)
    const { taskSet } = await api<RunDetail>(`/runs/${run}`)
    const fresh = await api<RunDetail>('/runs', { taskSet: taskSet.id, name: 'fresh', mode: 'shadow' })
    const unseen = await api<TaskDetail>(`/runs/${fresh.id}/tasks/${first?.task.id}`)
    expect(first?.prediction.deviation).toBeCloseTo(unseen.prediction.deviation, 9)
    expect(first?.prediction.predictedVariance).toBeCloseTo(unseen.prediction.predictedVariance, 9)

    await page.getByRole('link', { name: 'Open the run' }).first().click()
    await expect(page.getByRole('table', { name: 'What was reported' })).toContainText(String(rows))
    await expect(page.getByRole('heading', { level: 2 })).toContainText('informative')
    await shoot(page, 'import-overview')

    await page.goto(`${server.url}/runs/${run}/environments`)
    const environments = (await api<List<EnvironmentRow>>(`/runs/${run}/environments`)).items
    expect(environments.map(({ key }) => key).sort()).toEqual(['airline', 'retail'])
    await expect(page.getByRole('table').first()).toContainText('airline')
    await expect(page.getByRole('table').first()).toContainText('retail')
    await shoot(page, 'import-environments')

    const mixed = predictions.find(({ task }) => task.environment.key === 'airline' && task.key === '1')
    const tried = await api<TaskDetail>(`/runs/${run}/tasks/${mixed?.task.id}`)
    expect(tried.groups.map(({ result }) => [result.returned, result.trusted])).toEqual([[6, 4]])
    await page.goto(`${server.url}/runs/${run}/tasks/${mixed?.task.id}`)
    await expect(page.getByText('6: 4 trusted, 2 not')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Rollouts by group' })).toContainText('1 / 4')
    await expect(page.getByText(/^error 0\.\d+ over 1 group$/)).toBeVisible()
    await shoot(page, 'import-task')
    expect(heard).toEqual([])
  })

  test('a BFCL task set comes in, and a run on it is started and scheduled', async ({ page }) => {
    const bfcl = path.join(DATA ?? '', 'tasksets/bfcl')
    const name = 'BFCL_v4_multi_turn_base.json'
    const functions = readdirSync(path.join(bfcl, 'multi_turn_func_doc')).filter((file) => !/memory|web/.test(file))
    const strange = path.join(folder, 'notes.json')
    writeFileSync(strange, JSON.stringify([{ note: 'no task' }]))
    const heard = listenTo(page)
    await signIn(page, server)
    const progress = await watchForProgress(page)
    await page
      .locator('input[type=file]:not([data-folder])')
      .setInputFiles([
        path.join(bfcl, name),
        path.join(bfcl, 'possible_answer', name),
        ...functions.map((file) => path.join(bfcl, 'multi_turn_func_doc', file)),
        strange,
      ])
    await expect(page.getByRole('heading', { name: /^A task set came in from/ })).toBeVisible({ timeout: 40_000 })
    expect((await progress()).length).toBeGreaterThan(0)
    await expect(page.getByText(/the whole file: its form is not known/).first()).toBeVisible()
    const job = await importOf(page)
    const set = await api<TaskSetDetail>(`/task-sets/${job.taskSet}`)
    expect(set.tasks).toBe(readFileSync(path.join(bfcl, name), 'utf8').trim().split('\n').length)
    await expect(
      page.getByText(`${set.environments} environments, ${set.tasks} tasks, ${set.tools} tools.`),
    ).toBeVisible()
    await shoot(page, 'import-task-set')

    await page.getByLabel('Name of the run').fill('from files')
    await page.getByLabel('Scheduler').selectOption('envsched')
    await page.locator('form').getByRole('button', { name: 'Start a run' }).click()
    await expect(page).toHaveURL(/\/runs\/[^/]+\/batch$/)
    await expect(page.getByText('The first batch stands here once a trainer asks for one.')).toBeVisible()
    await shoot(page, 'import-run-waiting')
    const run = /\/runs\/([^/]+)\//.exec(page.url())?.[1] ?? ''

    for (const [step, requestId] of ['one', 'two'].entries()) {
      const batch = await api<BatchAnswer>(`/runs/${run}/batches`, {
        requestId,
        size: 16,
        groupSize: 4,
        policyVersion: step,
      })
      expect(batch.picks).toHaveLength(16)
      expect(batch.picks.every(({ payload }) => payload !== null)).toBe(true)
      const answer = await api<RolloutsAnswer>(
        `/runs/${run}/rollouts`,
        batch.picks.flatMap((pick, place) =>
          [0, 1, 2, 3].map((k) => ({
            id: `${pick.lease}-${k}`,
            lease: pick.lease,
            policyVersion: step,
            reward: (place + k) % 3 === 0 ? 1 : 0,
          })),
        ),
      )
      expect(answer).toMatchObject({ accepted: 64, rejected: [] })
    }
    await expect(page.getByRole('table', { name: 'Picks of batch 2' })).toBeVisible({ timeout: 20_000 })
    await shoot(page, 'import-run-batch')
    const second = await api<BatchDetail>(`/runs/${run}/batches/2`)
    expect(new Set(second.pickList.map(({ environment }) => environment.id)).size).toBeGreaterThan(2)

    const graph = await api<GraphView>(`/runs/${run}/graph`)
    expect(graph.nodes.id).toHaveLength(set.tasks)
    expect(graph.environments.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['GorillaFileSystem', 'TradingBot', 'TravelAPI', 'VehicleControlAPI']),
    )
    expect(graph.counts.within).toBeGreaterThan(0)
    expect(graph.counts.cross).toBeGreaterThan(0)
    await page.goto(`${server.url}/runs/${run}/graph`)
    await expect(page.locator('canvas').first()).toBeVisible()
    for (const { code } of graph.environments) await expect(page.getByText(code, { exact: true }).first()).toBeVisible()
    await shoot(page, 'import-run-graph')

    const files = (await api<List<TaskRow>>(`/runs/${run}/tasks?limit=1000`)).items
    const task = files.find(({ environment }) => environment.key === 'GorillaFileSystem')
    const detail = await api<TaskDetail>(`/runs/${run}/tasks/${task?.id}`)
    expect(detail.structure.tools.length).toBeGreaterThan(0)
    await page.goto(`${server.url}/runs/${run}/tasks/${task?.id}`)
    const structure = page.getByRole('region', { name: 'Structure' })
    for (const { name: tool } of detail.structure.tools)
      await expect(structure.getByText(tool, { exact: true }).first()).toBeVisible()
    await shoot(page, 'import-run-task')
    expect(heard).toEqual([])
    expect(server.log()).not.toContain('request_failed')
  })
})
