import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import type { GraphView } from '@/lib/contract/graph'
import type { RunDetail } from '@/lib/contract/run'
import { type DemoTrainer, startDemoTrainer } from '@/tests/support/demo'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

/** The console but for "not found", which a batch that there is not must give. */
const faults = (heard: readonly string[]) => heard.filter((line) => !line.includes('status of 404'))

test.describe('the graph of a live run', () => {
  let server: TestServer
  let demo: DemoTrainer
  let graph: GraphView

  test.beforeAll(async () => {
    test.setTimeout(120_000)
    server = await startServer()
    demo = await startDemoTrainer(server, { pace: 1, steps: 500, key: 'graph' })
    const batch = async () => (await server.api<RunDetail>(`/runs/${demo.run}`)).body.batch
    await expect.poll(batch, { timeout: 60_000 }).toBeGreaterThanOrEqual(3)
    graph = (await server.api<GraphView>(`/runs/${demo.run}/graph`)).body
  })

  test.afterAll(async () => {
    demo.stop()
    await server.stop()
  })

  async function open(page: Page, query = ''): Promise<string[]> {
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${demo.run}/graph${query}`)
    await expect(page.getByText(/^As (of )?batch \d+|^As batch/).first()).toBeVisible({ timeout: 30_000 })
    return heard
  }

  const verdict = (page: Page) => page.locator('.verdict h2')
  const download = async (page: Page, name: RegExp) => {
    await page.getByRole('button', { name: /^Export what is shown/ }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('[popover]:popover-open').getByText(name).click(),
    ])
    return readFileSync(await file.path())
  }

  test('scrubs to a past batch: picks, coverage and evidence are those of then', async ({ page }) => {
    const heard = await open(page, '?batch=2')
    await expect(page.getByText(/^As batch 2 was chosen: \d+ picks, \d+ of .* tried by then/)).toBeVisible()
    const then = (await server.api<GraphView>(`/runs/${demo.run}/graph?batch=2`)).body
    const tried = then.environments.reduce((sum, one) => sum + one.tried, 0)
    await expect(page.getByText(new RegExp(`, ${tried} of .* tried by then`))).toBeVisible()
    await page.keyboard.press('[')
    await expect(page).toHaveURL(/batch=1(&|$)/)
    await expect(page.getByText(/^As batch 1 was chosen: \d+ picks, 0 of /)).toBeVisible()
    const task = then.nodes.id[then.nodes.picked.indexOf(true)] ?? ''
    await page.goto(`${server.url}/runs/${demo.run}/graph?batch=2&task=${task}`)
    await expect(page.locator('[data-prediction]')).toBeVisible({ timeout: 30_000 })
    const at = then.nodes.id.indexOf(task)
    await expect(page.locator('[data-prediction]')).toContainText((then.nodes.predictedVariance[at] ?? 0).toFixed(3))
    await page.keyboard.press('l')
    await expect(page).not.toHaveURL(/batch=/)
    await page.goto(`${server.url}/runs/${demo.run}/graph?batch=99999`)
    await expect(page.getByText('There is no batch 99999 in this run. The graph as of now is shown.')).toBeVisible()
    expect(faults(heard)).toEqual([])
  })

  test('collapses environments to circles, opens one by keyboard, and Back undoes it', async ({ page }) => {
    const heard = await open(page)
    await page.getByRole('button', { name: 'Collapse' }).click()
    await expect(verdict(page)).toHaveText(/tasks in \d+ islands: /)
    await expect(page.locator('[data-edges=cross]')).toHaveText(/pairs?$/)
    await page.getByRole('button', { name: 'Show as table' }).click()
    const table = page.getByRole('table', { name: 'Environments of the graph' })
    await expect(table.getByRole('row')).toHaveCount(graph.environments.length + 1)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/island=e\d+/)
    await page.getByRole('button', { name: 'Open this island' }).press('Enter')
    await expect(page).toHaveURL(/open=e\d+/)
    await expect(page.getByRole('table', { name: 'Tasks of the graph' })).toBeVisible()
    await page.goBack()
    await expect(page).not.toHaveURL(/open=/)
    await expect(table).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).not.toHaveURL(/island=/)
    expect(faults(heard)).toEqual([])
  })

  test('selects by search, goes from neighbour to neighbour, and Esc clears; the camera stays', async ({ page }) => {
    const heard = await open(page)
    await page.waitForSelector('canvas.sigma-mouse', { state: 'attached' })
    await page.keyboard.press('+')
    await expect(page).toHaveURL(/camera=/)
    const camera = new URL(page.url()).searchParams.get('camera')
    const key = graph.nodes.key[graph.nodes.groups.findIndex((count) => count > 0)] ?? ''
    await page.keyboard.press('/')
    await page.keyboard.type(key)
    await expect(page.getByRole('option', { name: key }).first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(verdict(page)).toContainText(`${key} is predicted at`)
    const first = new URL(page.url()).searchParams.get('task')
    await page.getByRole('button', { name: /^Evidence of / }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('task')).not.toBe(first)
    await page.goBack()
    await expect.poll(() => new URL(page.url()).searchParams.get('task')).toBe(first)
    await page.getByText('Around it').click()
    await expect(verdict(page)).toContainText('2 hops')
    await page.getByRole('group', { name: 'How far around the task' }).getByText('1 hop').click()
    await expect(verdict(page)).toContainText('1 hop')
    await page.keyboard.press('Escape')
    await expect(page).not.toHaveURL(/task=/)
    const before = (await server.api<RunDetail>(`/runs/${demo.run}`)).body.batch
    const now = async () => (await server.api<RunDetail>(`/runs/${demo.run}`)).body.batch
    await expect.poll(now, { timeout: 30_000 }).toBeGreaterThan(before)
    expect(new URL(page.url()).searchParams.get('camera')).toBe(camera)
    expect(faults(heard)).toEqual([])
  })

  test('takes away what is shown as PNG, GEXF and CSV', async ({ page }) => {
    const cross = graph.edges.weight.filter((_, e) => graph.edges.kind[e] === 'cross')
    const hidden = graph.environments[0]
    if (hidden === undefined) throw new Error('no environment')
    const heard = await open(page, `?off=within&cross=0&hide=${hidden.id}&batch=2`)
    await page.waitForSelector('canvas.sigma-mouse', { state: 'attached' })
    const picture = await download(page, /^PNG/)
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    // the drawing down to its lowest island, then legend and caption
    expect(picture.readUInt32BE(20)).toBeGreaterThan(250)
    const gexf = (await download(page, /^GEXF/)).toString()
    expect(gexf).toContain('as of batch 2')
    expect(gexf.match(/<node /g)).toHaveLength(graph.total - hidden.tasks)
    expect(gexf).not.toContain('kind="within"')
    expect((gexf.match(/<edge /g) ?? []).length).toBeLessThanOrEqual(cross.length)
    const tasks = (await download(page, /^CSV, tasks/)).toString().trim().split('\r\n')
    expect(tasks).toHaveLength(graph.total - hidden.tasks + 1)
    expect(faults(heard)).toEqual([])
  })

  test('without WebGL it says so and shows the table', async ({ page }) => {
    await page.addInitScript(() => {
      const original = HTMLCanvasElement.prototype.getContext
      Object.defineProperty(HTMLCanvasElement.prototype, 'getContext', {
        value(this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
          return kind.includes('webgl') ? null : Reflect.apply(original, this, [kind, ...rest])
        },
      })
    })
    await open(page)
    await expect(page.getByText(/^This browser cannot draw the graph/)).toBeVisible()
    await expect(page.getByRole('table', { name: 'Tasks of the graph' })).toBeVisible()
  })
})

test('one task, no edge, no batch: the graph says so', async ({ page }) => {
  const server = await startServer()
  try {
    const set = await server.api<{ id: string }>('/task-sets', {
      body: {
        name: 'one',
        environments: [{ key: 'alone', name: 'x'.repeat(120) }],
        tasks: [{ environment: 'alone', key: 'k'.repeat(180) }],
      },
    })
    const run = await server.api<{ id: string }>('/runs', { body: { taskSet: set.body.id, name: 'one' } })
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${run.body.id}/graph`)
    await expect(page.getByText('One island holds all 1 task.')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(/^No batch yet: .* No edge is stored/)).toBeVisible()
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(faults(heard)).toEqual([])
  } finally {
    await server.stop()
  }
})
