import { expect, type Page, test } from '@playwright/test'
import type { RunDetail } from '@/lib/contract/run'
import { type DemoTrainer, startDemoTrainer } from '@/tests/support/demo'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

test.describe('the keyboard is never left on nothing', () => {
  let server: TestServer
  let demo: DemoTrainer

  test.beforeAll(async () => {
    test.setTimeout(120_000)
    server = await startServer()
    demo = await startDemoTrainer(server, { pace: 1, steps: 500, key: 'focus' })
    const batch = async () => (await server.api<RunDetail>(`/runs/${demo.run}`)).body.batch
    await expect.poll(batch, { timeout: 60_000 }).toBeGreaterThanOrEqual(2)
  })

  test.afterAll(async () => {
    demo.stop()
    await server.stop()
  })

  const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName ?? 'BODY')

  test('after the palette, a pause and a link to rollouts', async ({ page }) => {
    test.setTimeout(60_000)
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${demo.run}/batch`)
    await expect(page.locator('.verdict h2')).toBeVisible()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('Environments')
    await expect(page.getByRole('option', { name: /Environments/ }).first()).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/environments/)
    await expect.poll(() => focused(page)).toBe('MAIN')

    const pause = page.getByRole('button', { name: /^(Pause|Resume) the run$/ })
    await pause.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    await expect(page.getByRole('button', { name: 'Resume the run' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('button', { name: 'Pause the run' })).toBeFocused()

    await page.goto(`${server.url}/runs/${demo.run}/batch?batch=1`)
    await page.locator('main a[href*="/rollouts?"]').first().focus({ timeout: 10_000 })
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/rollouts/)
    await expect.poll(() => focused(page), { timeout: 8000 }).not.toBe('BODY')
    expect(heard).toEqual([])
  })
})
