import { expect, type Page, test } from '@playwright/test'
import type { BatchAnswer, BatchDetail } from '@/lib/contract/batch'
import type { RunDetail, RunSummary } from '@/lib/contract/run'
import type { TaskRow } from '@/lib/contract/task'
import type { TaskSetDetail } from '@/lib/contract/task-set'
import { hashToken } from '@/lib/service/access'
import { openDatabase } from '@/lib/store/database'
import { createToken } from '@/lib/store/token'
import { type DemoTrainer, startDemoTrainer } from '@/tests/support/demo'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

const SHOTS = process.env.E2E_SHOTS

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` })
}

const LOOKS = [
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 1024 },
  { colorScheme: 'light', width: 1024 },
] as const

/** A shown page: its heads are there, and it fits its window in both themes and widths. */
async function fits(page: Page, name: string): Promise<void> {
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    // charts follow their box a frame later
    await page.waitForTimeout(150)
    await expect.poll(() => outOfPlace(page), { message: `${name}, ${colorScheme}, ${width}` }).toEqual([])
    await shoot(page, `${name}-${colorScheme}-${width}`)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

test('an empty server says what to do first, and takes a task set', async ({ page }) => {
  const server = await startServer()
  try {
    const heard = listenTo(page)
    await signIn(page, server)
    await expect(page.getByRole('heading', { name: /^Nothing has run yet/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Start the demo run' })).toBeVisible()
    await expect(page.getByText('no run yet')).toBeVisible()
    await fits(page, 'runs-empty')
    const kitchen = ['tasks.json', 'possible_answer/tasks.json', 'func_doc/hot_things.json', 'func_doc/letters.json']
    await page
      .locator('input[type=file]:not([data-folder])')
      .setInputFiles(kitchen.map((name) => `tests/fixtures/formats/kitchen/${name}`))
    await expect(page).toHaveURL(/\/import\?import=/)
    await expect(page.getByRole('heading', { name: /^A task set came in from/ })).toBeVisible()
    await expect(page.locator('form').getByRole('button', { name: 'Start a run' })).toBeVisible()
    await fits(page, 'import-task-set')
    await page.goto(`${server.url}/`)
    await expect(page.getByRole('table', { name: 'Task sets, not run yet' })).toBeVisible()
    await fits(page, 'runs-empty-imported')
    expect(heard).toEqual([])
  } finally {
    await server.stop()
  }
})

test.describe('a server with a run', () => {
  let server: TestServer
  let demo: DemoTrainer

  test.beforeAll(async () => {
    server = await startServer()
    demo = await startDemoTrainer(server, { pace: 1, steps: 500, key: 'pages' })
  })

  test.afterAll(async () => {
    demo.stop()
    await server.stop()
  })

  test('every page fits, in light and dark, at 1280 and 1024', async ({ page }) => {
    test.setTimeout(240_000)
    const run = demo.run
    const detail = async () => (await server.api<RunDetail>(`/runs/${run}`)).body
    await expect.poll(async () => (await detail()).batch, { timeout: 60_000 }).toBeGreaterThanOrEqual(3)
    const second = (await server.api<BatchDetail>(`/runs/${run}/batches/2`)).body
    const picked = second.pickList.find((pick) => pick.slot === 'score') ?? second.pickList[0]
    if (picked === undefined) throw new Error('a batch without picks')
    const task = picked.task.id
    const heard = listenTo(page)
    await signIn(page, server)
    const table = (name: string | RegExp) => page.getByRole('table', { name }).first()
    const pages = [
      ['runs', '/', () => table('Runs')],
      ['overview', `/runs/${run}/overview`, () => page.getByRole('heading', { level: 3, name: /yield/i })],
      ['batch', `/runs/${run}/batch?batch=2&pick=${task}`, () => table('Picks of batch 2')],
      ['batch-next', `/runs/${run}/batch?batch=next`, () => page.getByRole('button', { name: 'Propose again' })],
      ['graph-whole', `/runs/${run}/graph`, () => page.locator('canvas').first()],
      ['graph-evidence', `/runs/${run}/graph?task=${task}`, () => page.locator('[data-prediction]')],
      ['environments', `/runs/${run}/environments`, () => table(/environments/i)],
      ['steering', `/runs/${run}/steering`, () => page.getByLabel('coverage, draft', { exact: true })],
      ['task', `/runs/${run}/tasks/${task}`, () => page.getByRole('heading', { level: 3, name: 'Structure' })],
    ] as const
    for (const [name, path, known] of pages) {
      await test.step(name, async () => {
        await page.goto(server.url + path)
        await expect(known()).toBeVisible({ timeout: 30_000 })
        await expect(page.locator('h1')).toBeVisible()
        await expect(page.locator('h2').first()).toBeVisible()
        await expect(page.locator('[data-status]').first()).toBeVisible()
        await fits(page, name)
        expect(heard, name).toEqual([])
      })
    }
  })

  test('the Overview says whether the graph helps, and leads to the figures', async ({ page }) => {
    const run = demo.run
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${run}/overview`)
    const panel = page.getByRole('region', { name: 'Does the graph help?' })
    await expect(panel.getByText(/whether the graph helps|^The graph (helps|does not help) here: /)).toBeVisible()
    await panel.scrollIntoViewIfNeeded()
    await fits(page, 'overview-graph-helps')
    await panel.getByRole('link', { name: 'Predictions' }).click()
    await expect(page).toHaveURL(new RegExp(`/runs/${run}/predictions`))
    expect(heard).toEqual([])
  })

  test('keys lead anywhere', async ({ page }) => {
    const run = demo.run
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${run}/overview`)
    await expect(page.getByRole('heading', { level: 3, name: /yield/i })).toBeVisible()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keys' })
    await expect(keys).toBeVisible()
    await shoot(page, 'keys')
    await page.keyboard.press('Escape')
    await expect(keys).toBeHidden()
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await expect(page).toHaveURL(new RegExp(`/runs/${run}/batch`))
    await page.keyboard.press('Control+k')
    const search = page.getByRole('dialog', { name: 'Search' })
    await expect(search).toBeVisible()
    await page.keyboard.type('steer')
    await expect(search.getByRole('option', { name: /Steering/ }).first()).toBeVisible()
    await shoot(page, 'search')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`/runs/${run}/steering`))
    await expect(search).toBeHidden()
  })

  test('new data moves neither the scroll nor what is open', async ({ page }) => {
    const run = demo.run
    const newest = async () => (await server.api<RunSummary>(`/runs/${run}`)).body.batch
    await signIn(page, server)
    await page.setViewportSize({ width: 1280, height: 600 })
    await page.goto(`${server.url}/runs/${run}/overview`)
    const turn = page.getByRole('button', { name: /^Show .* as table$/ }).first()
    await turn.click()
    await expect(turn).toHaveAttribute('aria-pressed', 'true')
    await page.evaluate(() => window.scrollTo(0, 260))
    // where a reader's eye is: alarms above may come and go, which the browser makes up for in the scroll
    const coverage = page.getByRole('heading', { level: 3, name: 'Coverage' })
    const place = async () => (await coverage.boundingBox())?.y ?? Number.NaN
    const stood = await place()
    expect(stood).toBeGreaterThan(0)
    expect(stood).toBeLessThan(600)
    const before = await newest()
    await expect.poll(newest, { timeout: 30_000 }).toBeGreaterThan(before + 1)
    const count = page.getByRole('region', { name: 'State of the run' })
    await expect
      .poll(async () => Number(/batch (\d+)/.exec((await count.textContent()) ?? '')?.[1]), { timeout: 10_000 })
      .toBeGreaterThan(before)
    expect(Math.abs((await place()) - stood)).toBeLessThanOrEqual(1)
    await expect(turn).toHaveAttribute('aria-pressed', 'true')
  })

  test('an unknown run and a missing token are said in a sentence', async ({ page, browser }) => {
    await signIn(page, server)
    await page.goto(`${server.url}/runs/no-such-run/overview`)
    await expect(page.getByText(/no run "no-such-run"/).first()).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Could not load the overview' })).toBeVisible()
    await shoot(page, 'unknown-run')
    const stranger = await browser.newContext()
    const door = await stranger.newPage()
    await door.goto(server.url)
    await expect(door.getByText(/This address needs a token/).first()).toBeVisible()
    await expect(door.getByRole('heading', { name: 'Could not load the runs' })).toBeVisible()
    await shoot(door, 'no-token')
    await stranger.close()
  })

  test('texts of tasks are shown, never run', async ({ page }) => {
    const markup = '<b>bold</b> <script>window.struck = true</script> <img src=x onerror="window.struck = true">'
    const set = await server.api<TaskSetDetail>('/task-sets', {
      body: {
        name: 'markup',
        environments: [{ key: '<i>inn</i>', tools: [{ name: '<u>tool</u>' }] }],
        tasks: [
          { environment: '<i>inn</i>', key: '<s>one</s>', text: markup, tools: ['<u>tool</u>'] },
          { environment: '<i>inn</i>', key: 'two', text: markup },
        ],
      },
    })
    const run = await server.api<RunDetail>('/runs', { body: { taskSet: set.body.id, name: '<b>run</b>' } })
    const batch = await server.api<BatchAnswer>(`/runs/${run.body.id}/batches`, {
      body: { requestId: 'one', size: 2, groupSize: 2, policyVersion: 0 },
    })
    expect(batch.status).toBe(200)
    const { items } = (await server.api<{ items: TaskRow[] }>(`/runs/${run.body.id}/tasks`)).body
    const one = items.find((row) => row.key === '<s>one</s>')
    const heard = listenTo(page)
    await signIn(page, server)
    for (const path of ['batch', 'graph', 'environments', `tasks/${one?.id}`]) {
      await page.goto(`${server.url}/runs/${run.body.id}/${path}`)
      await expect(page.locator('h2').first()).toBeVisible()
      expect(await page.evaluate(() => 'struck' in window), path).toBe(false)
    }
    await expect(page.getByText(markup, { exact: true }).first()).toBeVisible()
    await expect(page.getByText('<s>one</s>', { exact: true }).first()).toBeVisible()
    await expect(page.getByText('<u>tool</u>', { exact: true }).first()).toBeVisible()
    await expect(page.locator('h1')).toContainText('<b>run</b>')
    expect(heard).toEqual([])
  })

  test('a foreign page cannot write, and a token to view cannot either', async ({ page }) => {
    await signIn(page, server)
    const send = (origin: string) =>
      page.request.post(`${server.url}/api/v1/runs`, { headers: { origin }, data: { taskSet: 'none', name: 'x' } })
    const foreign = await send('http://elsewhere.example')
    expect(foreign.status()).toBe(403)
    expect(await foreign.json()).toMatchObject({ error: { code: 'foreign_origin' } })
    const own = await send(server.url)
    expect(await own.json()).toMatchObject({ error: { code: 'not_found' } })

    const database = await openDatabase(`file:${server.dataDir}/envsched.db`)
    try {
      await database.transaction((tx) =>
        createToken(tx, { hash: hashToken('only-looks'), name: 'guest', scope: 'view', createdAt: Date.now() }),
      )
    } finally {
      await database.close()
    }
    const guest = (path: string, init: RequestInit = {}) =>
      fetch(`${server.url}/api/v1${path}`, { ...init, headers: { authorization: 'Bearer only-looks' } })
    expect((await guest('/runs')).status).toBe(200)
    for (const path of ['/runs', '/task-sets', '/imports', `/runs/${demo.run}/batches`, `/runs/${demo.run}/rollouts`]) {
      const refused = await guest(path, { method: 'POST', body: '{}' })
      expect(refused.status, path).toBe(403)
      expect(await refused.json()).toMatchObject({ error: { code: 'scope' } })
    }
  })

  test('a server that went away is said, and the data stays', async ({ page }) => {
    const run = demo.run
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${run}/overview`)
    const yields = page.getByRole('heading', { level: 3, name: /yield/i })
    await expect(yields).toBeVisible()
    const verdict = page.locator('h2').first()
    await expect(verdict).toBeVisible()
    demo.stop()
    await server.stop()
    await expect(page.getByText('Server out of reach, figures from before')).toBeVisible({ timeout: 30_000 })
    await expect(yields).toBeVisible()
    await expect(verdict).toBeVisible()
    await shoot(page, 'server-gone')
  })
})
