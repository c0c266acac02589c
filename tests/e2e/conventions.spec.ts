import { expect, type Page, test } from '@playwright/test'
import type { RunDetail } from '@/lib/contract/run'
import { type DemoTrainer, startDemoTrainer } from '@/tests/support/demo'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

const STEPS = 6

let server: TestServer
let demo: DemoTrainer

test.beforeAll(async () => {
  server = await startServer()
  demo = await startDemoTrainer(server, { pace: 1, steps: STEPS, key: 'conventions' })
  await expect
    .poll(async () => (await server.api<RunDetail>(`/runs/${demo.run}`)).body.batch, { timeout: 90_000 })
    .toBeGreaterThanOrEqual(STEPS)
})

test.afterAll(async () => {
  demo.stop()
  await server.stop()
})

const show = async (page: Page, tab: string) => {
  await page.goto(`${server.url}/runs/${demo.run}/${tab}`)
  await expect(page.locator('h2').first()).toBeVisible({ timeout: 30_000 })
}

test('Back undoes a selection, and the address shows a colleague the same', async ({ page, context }) => {
  await signIn(page, server)
  await show(page, 'batch?batch=2')
  const picks = page.getByRole('table', { name: 'Picks of batch 2' })
  await picks.locator('tr[data-row]').first().locator('td').nth(2).click()
  await expect(page).toHaveURL(/pick=/)
  await expect(picks.locator('tr[data-open-of]')).toHaveCount(1)
  const colleague = await context.newPage()
  await colleague.goto(page.url())
  await expect(colleague.locator('tr[data-open-of]')).toHaveCount(1)
  await page.goBack()
  await expect(picks.locator('tr[data-open-of]')).toHaveCount(0)
  await expect(page).toHaveURL(/batch\?batch=2$/)
})

test('tables keep their columns, leave as curl, and rows follow the density', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const heard = listenTo(page)
  await signIn(page, server)
  await show(page, 'batch?batch=2')
  const picks = page.getByRole('region', { name: 'Picks' })
  const head = picks.getByRole('columnheader', { name: 'variance' })
  await expect(head).toBeVisible()
  await picks.getByRole('button', { name: 'Columns of Picks of batch 2' }).click()
  await page.getByRole('checkbox', { name: 'variance' }).uncheck()
  await expect(head).toHaveCount(0)
  await show(page, 'batch?batch=3')
  await expect(page.getByRole('table', { name: 'Picks of batch 3' })).toBeVisible()
  await expect(head).toHaveCount(0)
  await picks.getByRole('button', { name: /^Columns of Picks of batch 3, 1 hidden$/ }).click()
  await page.getByRole('checkbox', { name: 'variance' }).check()
  await expect(head).toBeVisible()
  await page.keyboard.press('Escape')

  await picks.getByRole('button', { name: /^Export / }).click()
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await expect(page.getByText('Copied')).toBeVisible()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(command).toBe(
    `curl -H "Authorization: Bearer $ENVSCHED_TOKEN" '${server.url}/api/v1/runs/${demo.run}/batches/3'`,
  )
  expect(command).not.toContain(server.token)

  await show(page, 'environments')
  const height = async () => (await page.locator('tr[data-row]').nth(2).boundingBox())?.height ?? 0
  const normal = await height()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('compact')
  await page.keyboard.press('Enter')
  await expect.poll(height).toBeLessThan(normal)
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  expect(heard).toEqual([])
})

test('j and k walk a table, the palette changes the theme', async ({ page }) => {
  await signIn(page, server)
  await show(page, 'environments')
  await expect(page.locator('tr[data-row]').first()).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(page.locator('tr[data-row]').nth(1)).toHaveAttribute('data-current', '')
  await page.keyboard.press('k')
  await expect(page.locator('tr[data-row]').first()).toHaveAttribute('data-current', '')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('theme dark')
  await expect(page.getByRole('option', { name: /^Theme: Dark/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('an alarm is kept quiet for everybody, and told again', async ({ page, context }) => {
  await signIn(page, server)
  await show(page, 'overview')
  const alarms = page.getByRole('region', { name: 'Alarms' })
  const one = alarms.getByText(/^(Clinic desk|Insurance claims)/).first()
  await expect(one).toBeVisible({ timeout: 20_000 })
  const title = (await one.textContent()) ?? ''
  await alarms.getByRole('button', { name: `Keep quiet: ${title}` }).click()
  await page.getByRole('button', { name: 'Quiet for 10 batches' }).click()
  await expect(alarms.getByText(title, { exact: true })).toHaveCount(0)
  const colleague = await context.newPage()
  await show(colleague, 'overview')
  await expect(colleague.getByRole('button', { name: '1 kept quiet' })).toBeVisible()
  await expect(colleague.getByText(title, { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: '1 kept quiet' }).click()
  await expect(alarms.getByText(/kept quiet by .* to batch \d+/)).toBeVisible()
  await alarms.getByRole('button', { name: 'Tell again' }).click()
  await expect(alarms.getByRole('button', { name: `Keep quiet: ${title}` })).toBeVisible()
})

test('a page that is hidden asks nothing', async ({ page }) => {
  await signIn(page, server)
  await show(page, 'overview')
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/')) asked += 1
  })
  await expect.poll(() => asked, { timeout: 10_000 }).toBeGreaterThan(0)
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await page.waitForTimeout(1500)
  asked = 0
  await page.waitForTimeout(4000)
  expect(asked).toBe(0)
})
