import { expect, type Page, test } from '@playwright/test'
import type { Calibration } from '@/lib/contract/calibration'
import type { ImportJob } from '@/lib/contract/import-job'
import type { RunDetail } from '@/lib/contract/run'
import { axeFindings } from '@/tests/support/axe'
import { type DemoTrainer, startDemoTrainer } from '@/tests/support/demo'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { madeUpHistory } from '@/tests/support/replay-rows'
import { startServer, type TestServer } from '@/tests/support/server'

const SHOTS = process.env.E2E_SHOTS

/** The page fits its window in both themes and at all widths, and axe finds nothing. */
async function fits(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 1024, 390]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.waitForTimeout(150)
      await expect.poll(() => outOfPlace(page), { message: `${name}, ${colorScheme}, ${width}` }).toEqual([])
      if (width !== 1024) expect(await axeFindings(page), `${name}, ${colorScheme}, ${width}`).toEqual([])
      if (SHOTS !== undefined)
        await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}-${width}.png`, fullPage: true })
    }
  await page.setViewportSize({ width: 1280, height: 800 })
}

test.describe('can I trust what is predicted', () => {
  let server: TestServer
  let demo: DemoTrainer

  test.beforeAll(async () => {
    server = await startServer()
    demo = await startDemoTrainer(server, { pace: 1, steps: 9, key: 'predictions' })
  })

  test.afterAll(async () => {
    demo.stop()
    await server.stop()
  })

  const finished = () =>
    expect
      .poll(async () => (await server.api<RunDetail>(`/runs/${demo.run}`)).body.status, { timeout: 90_000 })
      .toBe('finished')
  const calibration = async (run: string) => (await server.api<Calibration>(`/runs/${run}/calibration`)).body

  test('a live run is judged against simple guesses, the placebo and the best possible', async ({ page }) => {
    test.setTimeout(120_000)
    const { run } = demo
    await finished()
    const answer = await calibration(run)
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${run}/predictions`)
    const written = (value: number | null | undefined) => (value ?? Number.NaN).toFixed(3)
    await expect(page.getByRole('heading', { level: 2 })).toContainText(
      `error ${written(answer.all.errors[0])} against `,
    )
    await expect(page.getByRole('heading', { level: 2 })).toContainText(`${written(answer.all.best)} at best`)
    await expect(page.getByRole('heading', { level: 2 })).toContainText(/graph (helps|does not help)/)

    const depth = page.getByRole('table', { name: 'Error by depth of history' })
    const ours = depth.getByRole('row', { name: /^EnvSched/ })
    await expect(ours).toContainText(written(answer.all.errors[0]))
    await expect(ours).toContainText(written(answer.depth[0]?.errors[0]))
    await expect(depth.getByRole('row', { name: /^Placebo/ })).toBeVisible()
    await expect(depth.getByRole('row', { name: /^best possible/ })).toContainText(written(answer.all.best))
    await expect(depth.getByRole('row', { name: /^groups/ })).toContainText(String(answer.all.groups))
    const evidence = page.getByRole('table', { name: 'Error by kind of evidence' })
    for (const [kind, k] of [
      ['Own', 0],
      ['Within', 1],
      ['Cross', 2],
      ['Prior', 3],
    ] as const)
      await expect(evidence.getByRole('row', { name: new RegExp(`^${kind}`) })).toContainText(
        String(answer.evidence[k]?.groups),
      )
    await expect(page.getByRole('region', { name: 'Does the graph help?' })).toContainText(answer.helps.sentence)
    await expect(page.getByRole('figure', { name: /^Weight of each model by batch/ })).toBeVisible()
    const error = page.getByRole('region', { name: 'Error over time' })
    await expect(error.getByText('best possible', { exact: false }).first()).toBeVisible()

    // each figure of the diagram is explained where the pointer or the focus is
    const dot = page.getByRole('figure', { name: /^Realised variance by predicted variance/ }).locator('.chart-hit')
    await dot.last().focus()
    await expect(page.getByRole('tooltip').filter({ hasText: 'mean realised' }).locator('visible=true')).toHaveCount(1)
    await page.keyboard.press('Escape')
    for (const title of ['Reliability', 'Error over time', 'Learnt model weights']) {
      const panel = page.getByRole('region', { name: title, exact: true })
      const before = (await panel.boundingBox())?.height ?? 0
      await panel.getByRole('button', { name: `Show ${title} as table` }).click()
      await expect(panel.getByRole('table')).toBeVisible()
      expect(Math.abs(((await panel.boundingBox())?.height ?? 0) - before), title).toBeLessThan(2)
      await panel.getByRole('button', { name: `Show ${title} as table` }).click()
    }
    await fits(page, 'predictions')
    expect(heard).toEqual([])
  })

  test('a quiet run is not asked again, and the answer stays small', async ({ page }) => {
    test.setTimeout(120_000)
    const { run } = demo
    await finished()
    await signIn(page, server)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const answered = page.waitForResponse((response) => response.url().endsWith('/calibration'))
    await page.goto(`${server.url}/runs/${run}/predictions`)
    expect((await (await answered).body()).length).toBeLessThan(20_000)
    await expect(page.getByRole('heading', { level: 2 })).toContainText('error')
    asked.length = 0
    await expect.poll(() => asked.filter((path) => path.endsWith('/changes')).length).toBeGreaterThan(2)
    expect(asked.filter((path) => path.endsWith('/calibration'))).toEqual([])
  })

  test('nothing yet, then one batch: each panel says what it waits for', async ({ page }) => {
    const heard = listenTo(page)
    const set = (await server.api<{ items: { id: string }[] }>('/task-sets')).body.items[0]?.id
    const { body } = await server.api<RunDetail>('/runs', { body: { taskSet: set, name: 'empty' } })
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${body.id}/predictions`)
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(
      'Nothing to judge yet: no group that was predicted has come back.',
    )
    await expect(page.getByRole('heading', { level: 4, name: 'Not yet' })).toHaveCount(5)
    await expect(page.getByText('NaN')).toHaveCount(0)
    await fits(page, 'predictions-empty')
    const batch = { requestId: 'one', size: 4, groupSize: 2, policyVersion: 0 }
    await server.api(`/runs/${body.id}/batches`, { body: batch })
    await expect(page.getByRole('figure', { name: /^Weight of each model by batch/ })).toBeVisible()
    await expect(page.getByRole('heading', { level: 4, name: 'Not yet' })).toHaveCount(4)
    expect(heard).toEqual([])
  })

  test('a run that only reports is judged over its groups, the graph, too', async ({ page }) => {
    const rows = madeUpHistory({ environments: 6, tasks: 20, models: 4 })
    const text = rows.map(({ fields, failed, ...row }) => JSON.stringify({ source: 'made up', ...row })).join('\n')
    const form = new FormData()
    form.append('file', new Blob([text]), 'made-up.jsonl')
    const response = await fetch(`${server.url}/api/v1/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}` },
      body: form,
    })
    const { id } = (await response.json()) as ImportJob
    const job = async () => (await server.api<ImportJob>(`/imports/${id}`)).body
    await expect.poll(async () => (await job()).state).toBe('done')
    const run = (await job()).run ?? ''
    const answer = await calibration(run)
    expect(answer.all.groups).toBe(480)
    expect(answer.over.of).toBe('group')
    expect(answer.helps.overPlacebo?.standardError).toBeGreaterThan(0)
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${run}/predictions`)
    await expect(page.getByRole('region', { name: 'Does the graph help?' })).toContainText(answer.helps.sentence)
    await expect(page.getByRole('figure', { name: /^Error of the predicted variance by group/ })).toBeVisible()
    await expect(page.getByRole('figure', { name: /^Weight of each model by group/ })).toBeVisible()
    await fits(page, 'predictions-shadow')
    expect(heard).toEqual([])
  })

  test('an answer that fails says so and can be asked again', async ({ page }) => {
    await signIn(page, server)
    await page.route('**/calibration', (route) =>
      route.fulfill({
        status: 500,
        json: { error: { code: 'fault', message: 'The server met a fault.', issues: [] } },
      }),
    )
    await page.goto(`${server.url}/runs/${demo.run}/predictions`)
    await expect(page.getByRole('heading', { level: 4 })).toHaveText('Could not load the predictions', {
      timeout: 20_000,
    })
    await page.unroute('**/calibration')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { level: 2 })).toContainText('error')
  })
})
