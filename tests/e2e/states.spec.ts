import { expect, type Page, test } from '@playwright/test'
import type { BatchAnswer } from '@/lib/contract/batch'
import type { RunDetail } from '@/lib/contract/run'
import type { TaskSetDetail } from '@/lib/contract/task-set'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

const LONG = 'an_environment_whose_name_was_made_by_a_program_and_never_read_by_anyone_before_it_came_here'

let server: TestServer
let run: string

/** A run of its own: one batch, reported in full. */
async function startRun(name: string, environments: number, tasks: number): Promise<string> {
  const set = await server.api<TaskSetDetail>('/task-sets', {
    body: {
      name,
      environments: Array.from({ length: environments }, (_, e) => ({
        key: `${LONG}_${e}`,
        tools: [{ name: `tool_${e % 5}` }],
      })),
      tasks: Array.from({ length: tasks }, (_, t) => ({
        environment: `${LONG}_${t % environments}`,
        key: `${LONG}/${t}`,
        tools: [`tool_${(t % environments) % 5}`],
      })),
    },
  })
  const made = await server.api<RunDetail>('/runs', { body: { taskSet: set.body.id, name } })
  return made.body.id
}

async function oneBatch(of: string, size: number, report = true): Promise<void> {
  const batch = await server.api<BatchAnswer>(`/runs/${of}/batches`, {
    body: { requestId: 'first', size, groupSize: 4, policyVersion: 0 },
  })
  if (!report) return
  const rollouts = batch.body.picks.flatMap((pick, p) =>
    [0, 1, 2, 3].map((i) => ({
      id: `${pick.lease}-${i}`,
      lease: pick.lease,
      environment: pick.environment,
      task: pick.task,
      policyVersion: 0,
      reward: (p + i) % 3 === 0 ? 1 : 0,
    })),
  )
  await server.api(`/runs/${of}/rollouts`, { body: rollouts })
}

test.beforeAll(async () => {
  server = await startServer()
  run = await startRun('states', 3, 12)
  await oneBatch(run, 6)
})

test.afterAll(() => server.stop())

const api = (path: string) => new RegExp(`/api/v1/runs/[^/]+/${path}(\\?|$)`)

/** Answers a read with something else. */
async function answer(page: Page, path: string, body: unknown, status = 200): Promise<void> {
  await page.route(api(path), (route) =>
    route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) }),
  )
}

test('one broken panel leaves the others alive, and can be tried again', async ({ page }) => {
  await signIn(page, server)
  const refused = { error: { code: 'fault', message: 'The disk is full.', issues: [] } }
  await answer(page, 'batches', refused, 500)
  await answer(page, 'calibration', { nonsense: true })
  await page.goto(`${server.url}/runs/${run}/overview`)
  // what was refused says why; what cannot be drawn says so; the rest is there
  await expect(page.getByText('The disk is full.').first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/met a fault/)).toBeVisible()
  await expect(page.getByRole('heading', { level: 3, name: 'Coverage' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 3, name: 'Informative share' })).toBeVisible()
  await page.unroute(api('batches'))
  await page.getByRole('region', { name: 'Batches' }).getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The disk is full.')).toHaveCount(0)
})

test('figures that are no numbers blank no page', async ({ page }) => {
  const spoil = (value: unknown): unknown => {
    if (typeof value === 'number' && !Number.isInteger(value)) return null
    if (Array.isArray(value)) return value.map(spoil)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoil(inner)]))
  }
  await signIn(page, server)
  // JSON has no NaN: what a server could not compute arrives as null
  await page.route(
    api('(overview|series|environments|batches|batches/\\d+|tasks/t\\d+|calibration|graph|steering)'),
    async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: spoil(await response.json()) })
    },
  )
  for (const path of ['overview', 'batch', 'environments', 'tasks/t0', 'graph', 'steering', 'predictions']) {
    await page.goto(`${server.url}/runs/${run}/${path}`)
    await expect(page.locator('h2').first(), path).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText('This page met a fault'), path).toHaveCount(0)
    expect(await page.locator('main').textContent(), path).not.toMatch(/NaN|undefined|Infinity/)
  }
})

test('loading, nothing yet, zero and stale differ', async ({ page }) => {
  const fresh = await startRun('fresh', 2, 4)
  const heard = listenTo(page)
  await signIn(page, server)
  let open: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    open = resolve
  })
  await page.route(api('overview'), async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${server.url}/runs/${fresh}/overview`)
  await expect(page.getByText('Loading').first()).toBeAttached({ timeout: 10_000 })
  open()
  await expect(page.getByText(/no batch|not yet|No batch|Nothing/i).first()).toBeVisible()
  await page.goto(`${server.url}/runs/${fresh}/batch`)
  await expect(page.getByText('No batch yet')).toBeVisible()
  await oneBatch(fresh, 2, false)
  await page.goto(`${server.url}/runs/${fresh}/overview`)
  await expect(page.getByRole('region', { name: 'Yield' })).toContainText('Informative')
  await expect(page.getByRole('region', { name: 'State of the run' })).toContainText('0 of 2 picks back')
  expect(heard).toEqual([])
})

test('many environments and very long names keep their places', async ({ page }) => {
  test.setTimeout(180_000)
  const wide = await startRun(`wide ${LONG}`, 191, 382)
  await oneBatch(wide, 32)
  const heard = listenTo(page)
  await signIn(page, server)
  for (const path of [
    'overview',
    'batch',
    'graph',
    'environments',
    'tasks/t3',
    'steering',
    'predictions',
    'rollouts',
    'settings',
  ]) {
    await page.goto(`${server.url}/runs/${wide}/${path}`)
    await expect(page.locator('h2').first(), path).toBeVisible({ timeout: 60_000 })
    for (const width of [1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await page.waitForTimeout(150)
      await expect.poll(() => outOfPlace(page), { message: `${path}, ${width}` }).toEqual([])
      if (process.env.E2E_SHOTS !== undefined)
        await page.screenshot({ path: `${process.env.E2E_SHOTS}/wide-${path.replace('/', '-')}-${width}.png` })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(heard, path).toEqual([])
  }
})
