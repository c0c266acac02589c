import { type Browser, expect, type Page, test } from '@playwright/test'
import type { BatchAnswer } from '@/lib/contract/batch'
import type { OverrideEffect } from '@/lib/contract/override-effect'
import type { RunDetail } from '@/lib/contract/run'
import type { Override, Steering } from '@/lib/contract/steering'
import type { TaskSetDetail } from '@/lib/contract/task-set'
import { hashToken } from '@/lib/service/access'
import { openDatabase } from '@/lib/store/database'
import { createToken } from '@/lib/store/token'
import { axeFindings } from '@/tests/support/axe'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

/* What would my draft do, does the next batch obey, what moved meanwhile, and can it all be taken back. The test itself is the
   trainer: a batch closes exactly when a step says so. */
test.describe.configure({ mode: 'serial' })

const TOOLS = ['search', 'read', 'update', 'cancel', 'refund']
let server: TestServer
let run = ''
let step = 0

async function batch(): Promise<void> {
  const body = { requestId: `step-${step}`, size: 8, groupSize: 4, policyVersion: step }
  const { body: got } = await server.api<BatchAnswer>(`/runs/${run}/batches`, { method: 'POST', body })
  const rollouts = got.picks.flatMap((pick, p) =>
    Array.from({ length: pick.groupSize }, (_, k) => ({
      id: `${pick.lease}-${k}`,
      lease: pick.lease,
      policyVersion: step,
      reward: (p * 7 + k * 3 + step) % 5 < 2 ? 1 : 0,
    })),
  )
  await server.api(`/runs/${run}/rollouts`, { method: 'POST', body: rollouts })
  step += 1
}

const steering = async () => (await server.api<Steering>(`/runs/${run}/steering`)).body
const newest = async () => (await steering()).history[0]

test.beforeAll(async () => {
  server = await startServer()
  const environments = [0, 1, 2, 3].map((e) => ({
    key: `shop/${e}`,
    name: `Shop ${e}`,
    tools: TOOLS.map((name) => ({ name })),
  }))
  const tasks = Array.from({ length: 48 }, (_, i) => ({
    environment: `shop/${i % 4}`,
    key: `task-${i}`,
    tools: TOOLS.filter((_tool, t) => (i * 7 + t * 3) % 5 < 2),
  }))
  const set = await server.api<TaskSetDetail>('/task-sets', {
    method: 'POST',
    body: { name: 'shops', environments, tasks },
  })
  const made = await server.api<RunDetail>('/runs', {
    method: 'POST',
    body: { taskSet: set.body.id, name: 'steered', key: 'steered', seed: 'steered' },
  })
  run = made.body.id
  for (let k = 0; k < 4; k++) await batch()
  const database = await openDatabase(`file:${server.dataDir}/envsched.db`)
  try {
    await database.transaction((tx) =>
      createToken(tx, { hash: hashToken('of-jonas'), name: 'jonas', scope: 'operate', createdAt: Date.now() }),
    )
  } finally {
    await database.close()
  }
})

test.afterAll(async () => {
  await server.stop()
})

const at = (query = '') => `${server.url}/runs/${run}/steering${query}`
const applyButton = (page: Page) => page.getByRole('button', { name: /^Apply (this )?from batch \d+$/ })
const history = (page: Page) => page.getByRole('table', { name: 'History' })

async function jonas(browser: Browser): Promise<Page> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${server.url}/?token=of-jonas`)
  return page
}

test('a draft is previewed, survives a reload and another tab, and is shared by its link', async ({
  page,
  browser,
}) => {
  const heard = listenTo(page)
  await signIn(page, server)
  await page.goto(at())
  await expect(page.getByRole('heading', { name: /^No override is in force: batch 5/ })).toBeVisible()
  await page.getByLabel('coverage, draft', { exact: true }).fill('1.70')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('combobox', { name: 'Environment' }).fill('Shop 2')
  await page.getByRole('option').first().click()
  await page.getByLabel('Note').fill('see what coverage does')
  await expect(page.getByRole('heading', { name: /^Your draft swaps \d of 8 tasks/ })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('table', { name: 'Leave' }).getByText('would be paused').first()).toBeVisible()
  const expected = page.getByRole('table', { name: 'Expected informative share' })
  await expect(expected.getByRole('row')).toHaveCount(2)
  await expect(expected.getByRole('row').nth(1)).toContainText(/\d+ to \d+ %/)
  const before = await steering()
  expect([before.history, before.cursor]).toEqual([[], (await steering()).cursor])

  await page.reload()
  await expect(page.getByLabel('coverage, draft', { exact: true })).toHaveValue('1.70')
  await expect(page.getByLabel('Note')).toHaveValue('see what coverage does')
  const other = await page.context().newPage()
  await other.goto(`${server.url}/runs/${run}/overview`)
  await expect(other.getByText('Draft: 2 changes, not applied')).toBeVisible()
  await other.goto(at())
  await other.getByLabel('recency, draft', { exact: true }).fill('0.20')
  await expect(page.getByLabel('recency, draft', { exact: true })).toHaveValue('0.20')
  await other.close()

  const link = page.url()
  const colleague = await jonas(browser)
  await colleague.goto(link)
  await expect(colleague.getByLabel('coverage, draft', { exact: true })).toHaveValue('1.70')
  await expect(colleague.getByLabel('recency, draft', { exact: true })).toHaveValue('0.20')
  await colleague.context().close()
  expect(await axeFindings(page)).toEqual([])
  expect(await outOfPlace(page)).toEqual([])
  expect(heard).toEqual([])
})

test('what cannot be is refused with the nearest setting as a button', async ({ page }) => {
  await signIn(page, server)
  await page.goto(at('?draft=quota:e0:0.3:0.2'))
  const refused = page
    .getByRole('alert')
    .filter({ hasText: 'Refused: The lower quota 30 % is over the upper quota 20 %' })
  await expect(refused).toBeVisible({ timeout: 20_000 })
  await expect(applyButton(page)).toBeDisabled()
  await refused.getByRole('button', { name: /^Use .* quota/ }).click()
  await expect(refused).toBeHidden({ timeout: 20_000 })
  await expect(page).toHaveURL(/quota:e0:0\.2:0\.2/)
  await expect(applyButton(page)).toBeEnabled({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page).not.toHaveURL(/draft=/)
})

test('a batch that closes and a colleague who steers meanwhile are told; the draft is kept', async ({
  page,
  browser,
}) => {
  await signIn(page, server)
  await page.goto(at('?draft=weight:coverage:0.4:20,ban:t7:'))
  await page.getByLabel('Note').fill('less spread')
  await expect(applyButton(page)).toBeEnabled({ timeout: 20_000 })

  const colleague = await jonas(browser)
  await colleague.goto(at('?draft=weight:coverage:1.5'))
  await expect(applyButton(colleague)).toBeEnabled({ timeout: 20_000 })
  // The page that is about to be used hears nothing from here on, as when its tab was hidden.
  await page.route('**/api/v1/**', (route) => route.abort())
  await batch()
  await expect(colleague.getByText('Preview of batch 6')).toBeVisible({ timeout: 20_000 })
  await expect
    .poll(
      async () => {
        await applyButton(colleague)
          .click({ timeout: 1000 })
          .catch(() => undefined)
        return (await steering()).history.length
      },
      { timeout: 30_000, intervals: [1500] },
    )
    .toBe(1)
  await colleague.context().close()
  expect(await newest()).toMatchObject({ author: 'jonas', from: 6 })

  await applyButton(page).click()
  const told = page.getByRole('status', { name: 'What moved meanwhile' }).or(page.getByLabel('What moved meanwhile'))
  await expect(told.first()).toContainText('Batch 5 was issued.', { timeout: 20_000 })
  await expect(told.first()).toContainText('jonas set A: coverage weight 1 to 1.5')
  expect((await steering()).history).toHaveLength(1)
  await expect(page.getByLabel('coverage, draft', { exact: true })).toHaveValue('0.40')
  await expect(page.getByLabel('Note')).toHaveValue('less spread')

  await page.unroute('**/api/v1/**')
  await expect(told.first()).toContainText('Your draft sets it, too', { timeout: 20_000 })
  await expect(page.getByRole('button', { name: 'Apply this from batch 6' })).toBeEnabled({ timeout: 20_000 })
  await page.getByRole('button', { name: 'Apply this from batch 6' }).click()
  const confirmed = page.getByRole('status', { name: 'Applied' }).or(page.getByLabel('Applied', { exact: true }))
  await expect(confirmed.first()).toContainText('hold from batch 6, which is not issued yet', { timeout: 20_000 })
  const now = await steering()
  expect(
    now.history.map(({ author, kind, before, after, note, batches }) => [author, kind, before, after, note, batches]),
  ).toEqual([
    ['mira', 'ban', 'by score', 'in no batch', 'less spread', null],
    ['mira', 'weight', '1.5', '0.4', 'less spread', 20],
    ['jonas', 'weight', '1', '1.5', null, null],
  ])
  await batch()
  await expect(confirmed.first()).toContainText('Batch 6 was chosen with them.', { timeout: 20_000 })
  await expect(confirmed.first()).toContainText('task-7 is not in it')
})

test('the history finds an entry, links to it, and undo says what a later change holds', async ({ page }) => {
  const heard = listenTo(page)
  await signIn(page, server)
  await page.goto(at('?entry=o1'))
  const row = history(page).locator('tr[aria-selected="true"]')
  await expect(row).toContainText('coverage weight 1 to 1.5')
  await expect(row).toContainText('jonas')
  await row.getByRole('button', { name: /^Undo A/ }).click()
  await expect(page.getByText('Changes nothing now: B was set later and holds 0.4')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto(at())
  await page.getByLabel('Search the history').fill('mira ban')
  await expect(history(page).getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(/find=mira/)
  await page.getByLabel('Search the history').fill('')
  const undo = async (name: RegExp, why: string) => {
    await history(page).getByRole('button', { name }).click()
    await page.getByLabel('Why it is undone').locator('visible=true').fill(why)
    await page
      .getByRole('button', { name: /^Undo from batch 7$/ })
      .locator('visible=true')
      .click()
  }
  await undo(/^Undo B/, 'too little')
  await expect.poll(async () => (await newest())?.sentence).toBe('undo of B')
  expect(await newest()).toMatchObject({ before: '0.4', after: '1.5', author: 'mira', note: 'too little' })
  await expect(history(page).getByText('undone', { exact: true })).toBeVisible()
  await undo(/^Undo D: undo of B/, 'it was right')
  await expect.poll(async () => (await newest())?.sentence).toBe('coverage weight 1.5 to 0.4 again, D taken back')
  expect((await steering()).weights.find(({ name }) => name === 'coverage')?.now).toBeCloseTo(0.4)
  const batches: Override['batches'][] = (await steering()).history.map((entry) => entry.batches)
  expect(batches[0]).toBe(19)
  expect(heard).toEqual([])
})

test('a mark of a time axis opens the run before and after it, and says what that cannot show', async ({ page }) => {
  const heard = listenTo(page)
  for (let k = 0; k < 3; k++) await batch()
  await signIn(page, server)
  await page.goto(`${server.url}/runs/${run}/overview`)
  const flag = page.getByRole('button', { name: /^Override/ }).first()
  await flag.click()
  const menu = page.locator('.menu:popover-open')
  if (await menu.isVisible().catch(() => false)) await menu.getByRole('button', { name: /^B/ }).click()
  await expect(page).toHaveURL(/override=o\d/)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(/before and .* after/, { timeout: 20_000 })
  await expect(dialog).toContainText('not what the change did: nothing else was held still')
  await page.goto(`${server.url}/runs/${run}/batch?override=o2`)
  const effect = (await server.api<OverrideEffect>(`/runs/${run}/overrides/o2/effect?batches=10`)).body
  await expect(dialog.getByRole('heading', { name: 'B: coverage weight 1.5 to 0.4' })).toBeVisible()
  await expect(dialog).toContainText(/C began at batch 6|A began at batch 6/)
  expect(effect.before).toEqual({ from: 1, to: 5, batches: 5 })
  expect(effect.cut).toBe('ended')
  const shown = ((effect.measures.informativeShare.before?.value ?? 0) * 100).toFixed(1)
  await expect(dialog.getByRole('row', { name: /^Informative share \d/ })).toContainText(shown)
  expect(await axeFindings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: /^Override/ }).first()).toBeVisible()
  expect(heard).toEqual([])
})

test('a task is steered from its page and lands in the same draft', async ({ page }) => {
  await signIn(page, server)
  await page.goto(at('?draft=weight:recency:0.2'))
  await expect(page.getByText('Draft: 1 change, not applied')).toBeVisible()
  await page.goto(`${server.url}/runs/${run}/tasks/t5`)
  await page.getByRole('button', { name: 'Steer task-5' }).click()
  await page.getByRole('button', { name: 'Pin task-5' }).click()
  await expect(page.getByText('Draft: 2 changes, not applied')).toBeVisible()
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect(page.getByRole('table', { name: 'Enter' }).getByText('task-5', { exact: true })).toBeVisible({
    timeout: 20_000,
  })
})

test('a suggested change says in Steering what becomes of its task, and rests once the run has ended', async ({
  page,
}) => {
  const heard = listenTo(page)
  await signIn(page, server)
  await page.goto(`${server.url}/runs/${run}/batch`)
  const change = page.getByRole('table', { name: 'Left out, closest first' }).locator('a[href*="draft="]').first()
  await expect(change).toHaveAttribute('title', /^Verified for batch \d+/)
  const row = change.locator('xpath=ancestor::tr')
  const task = (await row.getByRole('link', { name: /^task-/ }).textContent())?.trim() ?? ''
  await change.click()
  await expect(page).toHaveURL(/draft=.+&for=t\d+&worked=\d+/)
  const said = page.getByRole('status').filter({ hasText: new RegExp(`^${task} (enters|is in|does not enter|leaves)`) })
  await expect(said).toBeVisible({ timeout: 20_000 })

  await server.api(`/runs/${run}`, { method: 'PATCH', body: { status: 'finished' } })
  await page.reload()
  await expect(applyButton(page)).toBeDisabled()
  await expect(applyButton(page)).toHaveAttribute('title', /^The run has ended/)
  await expect(history(page).getByRole('button', { name: /^Undo [A-Z]:/ })).toHaveCount(0)
  await expect(page.getByText('Draft: 1 change, not applied')).toHaveCount(0)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page).not.toHaveURL(/draft=|for=|worked=/)
  expect(heard).toEqual([])
})
