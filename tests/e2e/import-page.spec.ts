import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import type { ImportJob } from '@/lib/contract/import-job'
import type { RunDetail } from '@/lib/contract/run'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { madeUpHistory } from '@/tests/support/replay-rows'
import { startServer, type TestServer } from '@/tests/support/server'

const lines = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n')

test.describe('the Import page', () => {
  let server: TestServer
  let folder: string

  test.beforeAll(async () => {
    server = await startServer()
    folder = mkdtempSync(path.join(tmpdir(), 'envsched-import-'))
  })

  test.afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const give = async (page: Page, name: string, text: string) => {
    await page.goto(`${server.url}/import`)
    await page.locator('input[type=file]:not([data-folder])').setInputFiles({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
  }

  test('says why nothing came in: not known, empty, every row bad', async ({ page }) => {
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/import`)
    await expect(page.getByRole('heading', { name: /^Nothing was imported yet/ })).toBeVisible()
    const failed = (name: string) => page.getByRole('heading', { name: `Could not import ${name}.` })
    await give(page, 'notes.txt', 'hello')
    await expect(failed('notes.txt')).toBeVisible()
    await expect(page.getByText(/^notes\.txt holds no form that is known: give files of a trainer/)).toBeVisible()
    await give(page, 'void.jsonl', '\n')
    await expect(failed('void.jsonl')).toBeVisible()
    await expect(page.getByText('void.jsonl is empty: there is nothing to read.')).toBeVisible()
    await give(page, 'bad.jsonl', lines([1, 2, 3].map((reward) => ({ environment: '', task: 'a', reward }))))
    await expect(failed('bad.jsonl')).toBeVisible()
    await expect(page.getByText('No row of these files could be read: nothing can be made of them.')).toBeVisible()
    await expect(page.getByRole('row', { name: /a rollout without an environment .* 3 1$/ })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Imports so far' }).getByRole('row')).toHaveCount(4)
    expect(heard).toEqual([])
  })

  test('unknown columns are asked for, shown as they would be read, and each skipped line can be seen', async ({
    page,
  }) => {
    const heard = listenTo(page)
    await signIn(page, server)
    const rows = [0, 1, 2, 3, 4, 5].map((n) => `math,${n % 3},${n % 2}`)
    await give(page, 'table.csv', ['suite,item,points', ...rows, 'math,,1'].join('\n'))
    await expect(page.getByRole('heading', { name: 'Say what the columns of table.csv are.' })).toBeVisible()
    await expect(page.getByText('Choose the column that names the task, or that of its prompt.')).toBeVisible()
    const go = page.getByRole('button', { name: 'Import with these columns' })
    await expect(go).toBeDisabled()
    await page.getByLabel('Column of the task').selectOption('item')
    await page.getByLabel('Column of the reward').selectOption('points')
    await page.getByLabel('Column of the model').selectOption('one for all rows')
    await page.getByLabel('The model of all rows').fill('small')
    const preview = page.getByRole('table', { name: 'First rows as they would be read' })
    await expect(preview.getByRole('row', { name: /^math 0 0 small ok$/ })).toBeVisible()
    for (const width of [1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => outOfPlace(page), { message: String(width) }).toEqual([])
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await go.click()
    await expect(page.getByRole('heading', { name: /^Imported 6 of 7 rows into a run/ })).toBeVisible()
    await page.getByRole('button', { name: 'The line' }).click()
    const lines = page.getByRole('table', { name: 'Lines left out' })
    await expect(lines.getByRole('row', { name: /^table.csv 8 \{"suite": "math", "item": null/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(lines).toBeHidden()
    const id = new URL(page.url()).searchParams.get('import') ?? ''
    const discarded = await server.api<ImportJob>(`/imports/${id}/discard`, { body: {} })
    expect(discarded.body).toMatchObject({ state: 'done', resumable: false, skippedKept: 0 })
    expect((await server.api(`/imports/${id}/resume`, { body: {} })).status).toBe(409)
    expect(heard).toEqual([])
  })

  test('a folder comes in, bad lines are told, the replay follows, and it survives a reload', async ({ page }) => {
    test.setTimeout(120_000)
    mkdirSync(path.join(folder, 'logs'))
    const history = madeUpHistory({ environments: 3, tasks: 10, models: 3 })
    const half = Math.floor(history.length / 2)
    writeFileSync(path.join(folder, 'logs', 'one.jsonl'), `${lines(history.slice(0, half))}\nbroken\n`)
    writeFileSync(path.join(folder, 'logs', 'two.jsonl'), lines([...history.slice(half), { task: 'x', reward: 1 }]))
    writeFileSync(path.join(folder, 'logs', '.hidden'), 'nothing')
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/import`)
    await page.locator('input[data-folder]').setInputFiles(path.join(folder, 'logs'))
    await expect(page).toHaveURL(/\/import\?import=/)
    const rows = history.length
    await expect(
      page.getByRole('heading', {
        name: new RegExp(`^Imported ${rows} of ${rows + 2} rows into a run. 2 rows were skipped for 2`),
      }),
    ).toBeVisible({ timeout: 40_000 })
    await expect(page.getByRole('region', { name: 'logs, 2 files' })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: /^Imported/ })).toBeVisible()
    await expect(
      page.getByRole('row', { name: new RegExp(`it is not JSON .*logs/one.jsonl .*1 ${half + 1}$`) }),
    ).toBeVisible()
    await expect(page.getByRole('table', { name: 'What has come in' }).getByRole('row')).toHaveCount(3)
    const replayStep = page.getByRole('list', { name: 'Steps of the import' }).getByRole('listitem').nth(4)
    await expect(replayStep).toHaveAttribute('data-state', 'ok', { timeout: 60_000 })
    await expect(page.getByRole('table', { name: 'Schedulers on this history' })).toBeVisible()
    for (const width of [1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => outOfPlace(page), { message: String(width) }).toEqual([])
    }
    const id = new URL(page.url()).searchParams.get('import') ?? ''
    const job = (await server.api<ImportJob>(`/imports/${id}`)).body
    expect(job).toMatchObject({ state: 'done', accepted: rows, replay: true })
    const run = (await server.api<RunDetail>(`/runs/${job.run ?? ''}`)).body
    expect(run).toMatchObject({ mode: 'shadow', rollouts: rows })
    expect(heard).toEqual([])
  })
})
