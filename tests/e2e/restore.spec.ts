/* A trainer went back to its checkpoint: what counts, what does not, and where the run went on, on every page that tells of batches. */
import { expect, type Page, test } from '@playwright/test'
import type { BatchAnswer } from '@/lib/contract/batch'
import type { RestoreAnswer, SchedulerState } from '@/lib/contract/state'
import { axeFindings } from '@/tests/support/axe'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'
import { toyReward, toyTaskSet } from '@/tests/support/toy-run'

const SHOTS = process.env.E2E_SHOTS

async function fits(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => outOfPlace(page), { message: `${name}, ${colorScheme}, ${width}` }).toEqual([])
      if (width === 1280) expect(await axeFindings(page), `${name}, ${colorScheme}, ${width}`).toEqual([])
      if (SHOTS !== undefined)
        await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}-${width}.png`, fullPage: true })
    }
  await page.setViewportSize({ width: 1280, height: 800 })
}

test.describe('a run that went back to a checkpoint', () => {
  let server: TestServer
  let run = ''
  let answer: RestoreAnswer

  const post = async <T>(path: string, body: unknown, method = 'POST') =>
    (await server.api<T>(path, { method, body })).body

  async function train(from: number, steps: number, epoch: number): Promise<void> {
    for (let step = from; step < from + steps; step += 1) {
      const ask = { requestId: `s${step}`, size: 8, groupSize: 4, policyVersion: step }
      const batch = await post<BatchAnswer>(`/runs/${run}/batches`, ask)
      const rollouts = batch.picks.flatMap((pick) =>
        [0, 1, 2, 3].map((k) => ({
          id: `${step}-${pick.id}-${k}`,
          lease: pick.lease,
          policyVersion: step,
          reward: toyReward(pick.task, step + epoch, k),
        })),
      )
      await post(`/runs/${run}/rollouts`, rollouts)
    }
  }

  test.beforeAll(async () => {
    server = await startServer()
    const set = await post<{ id: string }>('/task-sets', toyTaskSet())
    run = (await post<{ id: string }>('/runs', { taskSet: set.id, name: 'resumed', seed: 1 })).id
    await train(0, 12, 0)
    const state = (await server.api<SchedulerState>(`/runs/${run}/state`)).body
    await train(12, 8, 0)
    answer = await post<RestoreAnswer>(`/runs/${run}/state`, state, 'PUT')
    await train(12, 6, 1)
  })

  test.afterAll(() => server.stop())

  test('counts what is on its line, and shows what it left behind', async ({ page }) => {
    test.setTimeout(120_000)
    expect(answer.sentence).toContain('Went back to batch 12. 8 batches and 256 rollouts')
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/runs/${run}/overview`)
    await expect(page.getByText('restored to 12').first()).toBeVisible()
    await expect(page.getByRole('table', { name: 'Newest batches' }).getByRole('row').nth(1)).toContainText('26')
    await fits(page, 'restore-overview')

    await page.goto(`${server.url}/runs/${run}/batch?batch=15`)
    await expect(page.getByText('Superseded by a restore at batch 20: kept, and no longer counted.')).toBeVisible()
    const scrubber = page.getByRole('slider', { name: 'Batch', exact: true })
    await expect(scrubber).toHaveAttribute('aria-valuetext', /^Batch 15: .*superseded by a restore at batch 20$/)
    await expect(scrubber).toHaveAttribute('aria-valuemax', '27')
    await fits(page, 'restore-batch')

    // policy 14 was played twice: on the line, and in what was left behind
    await page.goto(`${server.url}/runs/${run}/rollouts?policy=14`)
    const list = page.getByRole('region', { name: 'Rollouts by group, scrolls' })
    await expect(list.getByRole('row').nth(2)).toBeVisible()
    await list.evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await expect(list.locator('[data-superseded]').filter({ hasText: 'superseded' }).first()).toBeVisible()
    await fits(page, 'restore-rollouts')

    await page.goto(`${server.url}/runs/${run}/settings`)
    const restores = page.getByRole('list', { name: 'Restores, newest first' })
    await expect(restores).toContainText('Epoch 2 Went back from batch 20 to batch 12, by mira')
    await fits(page, 'restore-settings')
    expect(heard).toEqual([])
  })
})
