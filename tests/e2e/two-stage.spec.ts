/**
 * Two-stage groups and shares as pages show them: what went on, what stopped, what was bought, what is not decided yet; and a
 * batch without picks.
 */
import { expect, type Page, test } from '@playwright/test'
import type { BatchAnswer } from '@/lib/contract/batch'
import type { RolloutsAnswer } from '@/lib/contract/rollout'
import { axeFindings } from '@/tests/support/axe'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

let server: TestServer
let set: string

const start = async (key: string) =>
  (await server.api<{ id: string }>('/runs', { body: { taskSet: set, name: key, key } })).body.id
const ask = async (run: string, more: object) => {
  const body = { requestId: 'first', size: 4, groupSize: 8, policyVersion: 0, ...more }
  return (await server.api<BatchAnswer>(`/runs/${run}/batches`, { body })).body
}
const report = async (run: string, rollouts: object[]) =>
  (await server.api<RolloutsAnswer>(`/runs/${run}/rollouts`, { body: rollouts })).body
const rollouts = (lease: string, from: number, count: number, reward: (k: number) => number) =>
  Array.from({ length: count }, (_, k) => ({ id: `${lease}-${from + k}`, lease, policyVersion: 0, reward: reward(k) }))

test.beforeAll(async () => {
  server = await startServer()
  const environments = ['airline', 'retail', 'bank'].map((key) => ({ key, rewardRange: [0, 1] }))
  const tasks = Array.from({ length: 30 }, (_, i) => ({ environment: environments[i % 3]?.key, key: `task-${i}` }))
  set = (await server.api<{ id: string }>('/task-sets', { body: { name: 'desks', environments, tasks } })).body.id
})
test.afterAll(() => server.stop())

async function sound(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await axeFindings(page)).toEqual([])
  }
  for (const width of [1024, 390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await expect.poll(() => outOfPlace(page), { message: String(width) }).toEqual([])
  }
}

test('a batch says which groups went on, which stopped and what was bought, as its tasks and rollouts do', async ({
  page,
}) => {
  const heard = listenTo(page)
  const run = await start('staged')
  const { picks } = await ask(run, { stages: [4, 4] })
  const [goes, stops, too, waits] = picks
  if (!goes || !stops || !too || !waits) throw new Error('no picks')
  const all = [
    ...rollouts(goes.lease, 0, 4, (k) => k % 2),
    ...rollouts(stops.lease, 0, 4, () => 0),
    ...rollouts(too.lease, 0, 4, () => 1),
    ...rollouts(waits.lease, 0, 2, () => 1),
  ]
  const told = await report(run, all)
  expect(told.continue).toEqual([{ lease: goes.lease, rollouts: 4 }])
  expect(told.more).toHaveLength(1)
  await report(
    run,
    rollouts(goes.lease, 4, 4, () => 1),
  )

  await signIn(page, server)
  await page.goto(`${server.url}/runs/${run}/batch`)
  await expect(
    page.getByText('2 stopped at 4, 1 went on to 4 + 4, 1 pick was bought with what that left;'),
  ).toBeVisible()
  const table = page.getByRole('table', { name: 'Picks of batch 1' })
  const rowOf = (task: string) =>
    table.getByRole('row').filter({ has: page.getByRole('link', { name: task, exact: true }) })
  await expect(rowOf(goes.task)).toContainText('4 + 4')
  await expect(rowOf(stops.task)).toContainText('stopped at 4')
  await expect(rowOf(waits.task)).toContainText('4 first')
  await expect(rowOf(told.more?.[0]?.task ?? '')).toContainText('bought later')
  await expect(page.getByText('groups of 4 + 4')).toBeVisible()
  await sound(page)

  await page.goto(`${server.url}/runs/${run}/tasks/${stops.id}`)
  await expect(page.getByRole('table', { name: 'Rollouts by group' })).toContainText('stopped at 4')
  await expect(page.getByRole('table', { name: 'Picks' })).toContainText('stopped at 4')
  await page.goto(`${server.url}/runs/${run}/rollouts`)
  await expect(page.getByRole('table', { name: 'Rollouts by group' })).toContainText('4 + 4')
  expect(heard).toEqual([])
})

test('a batch of shares shows what each environment should get, and what came of it', async ({ page }) => {
  const heard = listenTo(page)
  const run = await start('shared')
  const { shares } = await ask(run, { mode: 'shares', size: 12, groupSize: 2 })
  expect(shares?.reduce((sum, { picks }) => sum + picks, 0)).toBe(12)
  await signIn(page, server)
  await page.goto(`${server.url}/runs/${run}/batch`)
  await expect(page.getByText('12 picks are shared out over 3 environments; the trainer chooses')).toBeVisible()
  const free = { environment: 'bank', task: 'task-2', policyVersion: 0 }
  await report(
    run,
    [0, 1].map((k) => ({ ...free, id: `free-${k}`, reward: k })),
  )
  await expect(page.getByText('the trainer rolled out 1 task of its own choice')).toBeVisible()
  const row = page.getByRole('table', { name: 'Shares of batch 1' }).getByRole('row').filter({ hasText: 'bank' })
  await expect(row.getByRole('cell').last()).toHaveText('1')
  await sound(page)
  expect(heard).toEqual([])
})
