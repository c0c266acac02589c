import { expect, test } from '@playwright/test'
import type { BatchDetail, BatchSummary } from '@/lib/contract/batch'
import type { EnvironmentRow } from '@/lib/contract/environment'
import type { EvidenceView } from '@/lib/contract/evidence'
import { startDemoTrainer } from '@/tests/support/demo'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer } from '@/tests/support/server'

const numberIn = (text: string | null) => Number(text?.replace(/\D/g, ''))

/* The product in one go: watch, ask why, follow the evidence, steer, see it obeyed, undo. */
test('a researcher watches a live run, asks why, steers it and undoes it', async ({ page }) => {
  test.setTimeout(240_000)
  const server = await startServer()
  const demo = await startDemoTrainer(server, { pace: 5, steps: 200, key: 'story' })
  const api = async <T>(path: string) => (await server.api<T>(`/runs/${demo.run}${path}`)).body
  const heard = listenTo(page)
  try {
    await test.step('the start-up address signs in and shows the run', async () => {
      await signIn(page, server)
      await expect(page.getByRole('link', { name: 'Demo' }).first()).toBeVisible()
      const cookie = (await page.context().cookies()).find((one) => one.name === `envsched-${server.port}`)
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    })

    await test.step('a batch arrives without reload', async () => {
      await page.goto(`${server.url}/runs/${demo.run}/batch`)
      const title = page.getByText(/^Batch \d+$/).first()
      await expect(title).toBeVisible()
      const before = numberIn(await title.textContent())
      await page.evaluate(() => {
        document.body.dataset.loadedOnce = 'yes'
      })
      await expect.poll(async () => numberIn(await title.textContent()), { timeout: 30_000 }).toBeGreaterThan(before)
      expect(await page.evaluate(() => document.body.dataset.loadedOnce)).toBe('yes')
    })

    const { items } = await api<{ items: BatchSummary[] }>('/batches?limit=1')
    const seen = await api<BatchDetail>(`/batches/${items[0]?.index ?? 0}`)
    const pick = seen.pickList.find((one) => one.slot === 'score') ?? seen.pickList[0]
    if (pick === undefined) throw new Error('a batch without picks')

    await test.step('a pick says why, and its terms add up', async () => {
      await page.goto(`${server.url}/runs/${demo.run}/batch?batch=${seen.index}`)
      const table = page.getByRole('table', { name: `Picks of batch ${seen.index}` })
      await expect(table.getByText(pick.reason, { exact: true }).first()).toBeVisible()
      await page.getByRole('button', { name: `Pick ${pick.position}, ${pick.task.key}: show its terms` }).click()
      const terms = Object.values(pick.terms).reduce((sum, term) => sum + term, 0)
      expect(terms).toBeCloseTo(pick.score, 6)
    })

    await test.step('its evidence is on the graph, and the drawn shares sum to the shown prediction', async () => {
      await page.getByRole('link', { name: 'Evidence in the graph' }).click()
      await expect(page).toHaveURL(new RegExp(`/graph\\?.*task=${pick.task.id}`))
      await expect(page.locator('canvas').first()).toBeVisible()
      const shown = page.locator('[data-prediction]')
      await expect(shown).toBeVisible()
      await expect
        .poll(async () => {
          const [prediction, parts] = await page.evaluate(() => {
            const number = (node: Element | null, name: string) => Number(node?.getAttribute(name))
            const paths = [
              ...document.querySelectorAll('[aria-label="Paths drawn, by share of the prediction"] [data-share]'),
            ]
            return [
              number(document.querySelector('[data-prediction]'), 'data-prediction'),
              paths.reduce((sum, path) => sum + number(path, 'data-share'), 0),
            ]
          })
          return Math.abs((prediction ?? 1) - (parts ?? 0))
        })
        .toBeLessThan(1e-6)
      const evidence = await api<EvidenceView>(`/tasks/${pick.task.id}/evidence?batch=${seen.index}`)
      const shares = Object.values(evidence.shares).reduce((sum, share) => sum + share, 0)
      expect(shares).toBeCloseTo(pick.prediction.predictedVariance, 6)
    })

    const rows = (await api<{ items: EnvironmentRow[] }>('/environments')).items
    const most = [...rows].filter((row) => row.quotaSet === null).sort((a, b) => b.quota.used - a.quota.used)[0]
    if (most === undefined) throw new Error('no environment without a quota')

    await test.step('an upper quota and a weight change the preview', async () => {
      await page.goto(`${server.url}/runs/${demo.run}/steering`)
      await page.getByRole('button', { name: /^All \d+$/ }).click()
      await page.getByLabel(`${most.code} upper quota, per cent`).fill('2')
      await page.getByLabel('coverage, draft', { exact: true }).fill('1.60')
      await expect(page.getByRole('heading', { name: /Your draft/ })).toBeVisible({ timeout: 30_000 })
      await expect(page.getByRole('table', { name: 'Leave' }).getByRole('row').first()).toBeVisible()
      await expect(page.getByRole('table', { name: 'Enter' }).getByRole('row').first()).toBeVisible()
    })

    let from = 0
    await test.step('it is applied from the batch that is named', async () => {
      await page.getByLabel('Note').fill('too much of one thing')
      const button = page.getByRole('button', { name: /^Apply (this )?from batch \d+$/ })
      await expect
        .poll(
          async () => {
            if (await button.isVisible().catch(() => false))
              await button.click({ timeout: 2000 }).catch(() => undefined)
            return (await api<{ total: number }>('/overrides')).total
          },
          { timeout: 60_000, intervals: [1500] },
        )
        .toBe(2)
      const list = (
        await api<{ items: { from: number; letter: string; note: string | null; author: string }[] }>('/overrides')
      ).items
      expect(list[0]).toMatchObject({ author: 'mira', note: 'too much of one thing' })
      from = list[0]?.from ?? 0
      await expect(
        page.getByRole('table', { name: 'History' }).getByText('too much of one thing').first(),
      ).toBeVisible()
    })

    await test.step('the trainer receives a batch that obeys, and it carries the marker', async () => {
      await expect
        .poll(async () => (await server.api<{ batch: number }>(`/runs/${demo.run}`)).body.batch, { timeout: 60_000 })
        .toBeGreaterThanOrEqual(from)
      const obeyed = await api<BatchDetail>(`/batches/${from}`)
      expect(obeyed.overrides.map((one) => one.letter)).toEqual(['A', 'B'])
      const use = obeyed.quotas.find((one) => one.environment.id === most.id)
      expect(use?.upper).toBe(0.02)
      const scored = obeyed.pickList.filter((one) => one.environment.id === most.id && one.slot === 'score')
      expect(scored.length).toBeLessThanOrEqual(1)
      await page.goto(`${server.url}/runs/${demo.run}/batch?batch=${from}`)
      await expect(page.getByText(`${most.code} upper quota`).filter({ visible: true }).first()).toBeVisible()
      await page.goto(`${server.url}/runs/${demo.run}/overview`)
      await expect(page.getByText(`${most.code} upper quota`).filter({ visible: true }).first()).toBeVisible()
    })

    await test.step('undo restores, as a new entry', async () => {
      await page.goto(`${server.url}/runs/${demo.run}/steering`)
      for (const entry of [new RegExp(`^Undo [A-Z]+: ${most.code} upper quota`), /^Undo [A-Z]+: coverage weight/]) {
        const open = page.getByRole('button', { name: entry }).first()
        await open.click()
        await page.getByRole('button', { name: /^Undo from batch \d+$/ }).click()
        await expect(page.getByRole('button', { name: /^Undo from batch \d+$/ })).toBeHidden()
      }
      await expect.poll(async () => (await api<{ total: number }>('/overrides')).total).toBe(4)
      const after = (await api<{ items: EnvironmentRow[] }>('/environments')).items.find((row) => row.id === most.id)
      expect(after?.quotaSet).toBeNull()
    })

    expect(heard).toEqual([])
    expect(server.log()).not.toContain('request_failed')
    expect(server.log()).not.toContain(server.token)
  } finally {
    demo.stop()
    await server.stop()
  }
})
