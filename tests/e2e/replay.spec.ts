import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import type { ImportJob } from '@/lib/contract/import-job'
import type { ReplayJob } from '@/lib/contract/replay'
import type { ReplayRollout } from '@/lib/testbed/replay/ladder'
import { listenTo, signIn } from '@/tests/support/page'
import { madeUpHistory, rolloutsOf } from '@/tests/support/replay-rows'
import { startServer, type TestServer } from '@/tests/support/server'

const SHOTS = process.env.E2E_SHOTS

test.describe('a replay of a history', () => {
  let server: TestServer
  test.beforeAll(async () => {
    server = await startServer()
  })
  test.afterAll(() => server.stop())

  async function imported(name: string, rows: readonly ReplayRollout[]): Promise<string> {
    const text = rows.map(({ fields, failed, ...row }) => JSON.stringify({ source: 'made up', ...row })).join('\n')
    const form = new FormData()
    form.append('file', new Blob([text]), `${name}.jsonl`)
    const response = await fetch(`${server.url}/api/v1/imports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}` },
      body: form,
    })
    const { id } = (await response.json()) as ImportJob
    let job: ImportJob | null = null
    await expect
      .poll(async () => {
        job = (await server.api<ImportJob>(`/imports/${id}`)).body
        return job.state
      })
      .toBe('done')
    return (job as ImportJob | null)?.run ?? ''
  }

  test('is asked on the Overview, shows progress, and ends with a verdict that can be taken away', async ({ page }) => {
    const run = await imported('made-up', madeUpHistory({ environments: 6, tasks: 24, models: 4 }))
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${run}/overview`)
    const panel = page.getByRole('region', { name: 'What EnvSched would have chosen on this history' })
    await expect(panel).toContainText('Not asked yet')
    await panel.getByRole('button', { name: 'Replay this history' }).click()
    await expect(panel.getByRole('progressbar', { name: 'Replaying the history' })).toBeVisible()
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/replay-running.png`, fullPage: true })
    // it survives a reload of the page
    await page.reload()
    await expect(panel).toContainText(/EnvSched would have found \d+\.\d/, { timeout: 90_000 })
    await expect(panel.getByRole('table', { name: 'Schedulers on this history' }).getByRole('row')).toHaveCount(7)
    await expect(panel.getByRole('table', { name: 'Predictions against simple predictors' })).toContainText(
      'History of the task',
    )
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/replay-done.png`, fullPage: true })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('link', { name: 'Take the whole report away as JSON' }).click(),
    ])
    const taken = JSON.parse(await readFile((await download.path()) ?? '', 'utf8')) as ReplayJob
    expect(taken.report?.arms.map(({ arm }) => arm)).toContain('envsched')
    expect(heard).toEqual([])
  })

  test('says what a history lacks', async ({ page }) => {
    const run = await imported(
      'single',
      ['a', 'b', 'c'].flatMap((task) => rolloutsOf('e', task, 'm', [1])),
    )
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${run}/overview`)
    await page.getByRole('button', { name: 'Replay this history' }).click()
    await expect(page.getByText('No task has a group of two or more trusted rewards')).toBeVisible()
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/replay-impossible.png`, fullPage: true })
  })
})
