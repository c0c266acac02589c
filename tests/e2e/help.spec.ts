import { expect, test } from '@playwright/test'
import type { BatchDetail } from '@/lib/contract/batch'
import { formatFixed } from '@/lib/view/format'
import { tellingPick } from '@/lib/view/pick-story'
import { startDemoTrainer } from '@/tests/support/demo'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer } from '@/tests/support/server'

test('Help tells what a pick is: an example first, then with the numbers of a real one', async ({ page }) => {
  test.setTimeout(90_000)
  const server = await startServer()
  try {
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/help`)
    await expect(page.getByText(/^Example numbers, since no run here has chosen a batch yet/)).toBeVisible()
    await expect(page.getByRole('img', { name: 'airline_27: 4 of 8 solved' })).toBeVisible()
    const overview = page.getByRole('row', { name: /earning its keep/ })
    await expect(overview.getByRole('link')).toHaveCount(0)

    const demo = await startDemoTrainer(server, { pace: 0.5, steps: 4, key: 'help' })
    const batch = async (index: number) =>
      (await server.api<BatchDetail>(`/runs/${demo.run}/batches/${String(index)}`)).body
    await expect.poll(async () => (await batch(4)).back ?? 0, { timeout: 40_000 }).toBe((await batch(1)).picks)
    await page.reload()
    const told = await batch(4)
    const pick = tellingPick(told)
    if (pick === null) throw new Error('a batch without picks')
    await expect(page.getByText('of Demo. No task is tried out beforehand')).toBeVisible()
    await expect(page.getByRole('link', { name: pick.task.key, exact: true })).toBeVisible()
    const written = formatFixed(pick.prediction.predictedVariance, 3)
    await expect(page.getByRole('img', { name: new RegExp(`^Predicted variance ${written} at`) })).toBeVisible()
    await expect(
      page.getByRole('img', { name: `${String(told.picks)} picks, coloured by environment, ${pick.task.key} ringed` }),
    ).toBeVisible()
    for (const width of [1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => outOfPlace(page), { message: String(width) }).toEqual([])
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${server.url}/help#uniform-slots`)
    await expect(page.getByRole('region', { name: 'Uniform slots' })).toBeInViewport()
    await expect(page.getByRole('region', { name: 'Uniform slots' })).toHaveAttribute('data-at', '')
    await overview.getByRole('link', { name: 'Overview' }).click()
    await expect(page).toHaveURL(`${server.url}/runs/${demo.run}/overview`)
    expect(heard).toEqual([])
  } finally {
    await server.stop()
  }
})
