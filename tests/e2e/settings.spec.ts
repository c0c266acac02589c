import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Browser, expect, type Page, test } from '@playwright/test'
import type { DiskUse } from '@/lib/contract/disk'
import type { RunSummary } from '@/lib/contract/run'
import type { NewToken } from '@/lib/contract/token'
import { axeFindings } from '@/tests/support/axe'
import { type DemoTrainer, startDemoTrainer } from '@/tests/support/demo'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

const SHOTS = process.env.E2E_SHOTS

let server: TestServer
let demo: DemoTrainer

test.beforeAll(async () => {
  server = await startServer()
  demo = await startDemoTrainer(server, { pace: 1, steps: 400, key: 'settings' })
  const batches = async () => (await server.api<RunSummary>(`/runs/${demo.run}`)).body.batch
  await expect.poll(batches, { timeout: 60_000 }).toBeGreaterThanOrEqual(3)
})

test.afterAll(async () => {
  demo.stop()
  await server.stop()
})

async function open(page: Page, run = demo.run): Promise<void> {
  await signIn(page, server)
  await page.goto(`${server.url}/runs/${run}/settings`)
  await expect(page.getByRole('table', { name: 'Disk use by kind' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('table', { name: 'Exports' })).toBeVisible()
}

const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** A browser of its own, signed in with a token; its pages. */
async function guest(browser: Browser, token: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${server.url}/?token=${token}`)
  return page
}

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [1280, 'dark'],
    [1024, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.waitForTimeout(200)
    await page.screenshot({ path: `${SHOTS}/settings-${name}-${width}-${colorScheme}.png`, fullPage: true })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

test('who may do what: a token is shown once, works, and is refused at once when it is revoked', async ({ page }) => {
  const heard = listenTo(page)
  await open(page)
  await expect(page.locator('h2').first()).toHaveText(
    /^This run takes .+; one token is valid on this server, and it may steer and delete\.$/,
  )
  await expect(page.getByText(/^The server holds .+ are free\./)).toBeVisible()
  const tokens = page.getByRole('table', { name: 'Tokens' })
  await expect(
    tokens.getByRole('row', { name: /^mira ?start-up address operate .* no end now, this browser/ }),
  ).toBeVisible()
  await page.getByLabel('Name', { exact: true }).first().fill('trainer-b')
  await page.getByLabel('Valid for').selectOption('7 days')
  await page.getByRole('button', { name: 'Make token' }).click()
  const box = region(page, 'New token trainer-b')
  const text = (await box.locator('code').textContent()) ?? ''
  expect(text).toMatch(/^es_rep_[\w-]{32}$/)
  await expect(page.locator('h2').first()).toHaveText(
    /^This run takes .+; two tokens are valid on this server, one may steer and delete\.$/,
  )
  await expect(tokens.getByRole('row', { name: /trainer-b report mira, .* not yet not yet/ })).toBeVisible()
  const ask = (method = 'GET', path = '/runs') =>
    fetch(`${server.url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${text}` } })
  expect((await ask()).status).toBe(200)
  expect((await ask('DELETE', `/runs/${demo.run}`)).status).toBe(403)
  expect((await ask('POST', '/tokens')).status).toBe(403)
  await page.getByLabel('Name', { exact: true }).first().fill('trainer-b')
  await page.getByRole('button', { name: 'Make token' }).click()
  await expect(page.getByText(/There is a valid token "trainer-b"/)).toBeVisible()
  await shoot(page, 'token')
  await page.reload()
  await expect(tokens.getByRole('row', { name: /trainer-b report .* ago 127\.0\.0\.1/ })).toBeVisible()
  expect(await page.content()).not.toContain(text)
  await tokens.getByRole('button', { name: 'Revoke trainer-b' }).click()
  const dialog = page.getByRole('dialog', { name: 'Revoke trainer-b?' })
  await expect(dialog.getByText(/a trainer that works with it is refused/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await expect(tokens.getByRole('row', { name: /trainer-b/ })).toHaveCount(0)
  expect((await ask()).status).toBe(401)
  await tokens.getByRole('button', { name: 'Revoke mira' }).click()
  const last = page.getByRole('dialog', { name: 'Revoke mira?' })
  await expect(last.getByText(/the last token that may operate/)).toBeVisible()
  await expect(last.getByText(/delete the file start-token/)).toBeVisible()
  await expect(last.getByRole('button', { name: 'Revoke it anyway' })).toBeVisible()
  await last.getByRole('button', { name: 'Keep it' }).click()
  await expect(tokens.getByRole('row', { name: /^mira/ })).toBeVisible()
  expect(heard).toEqual([])
})

test('it fits at each width, and axe finds nothing in either theme', async ({ page }) => {
  await open(page)
  for (const width of [1280, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => outOfPlace(page), { message: String(width) }).toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await axeFindings(page), colorScheme).toEqual([])
  }
})

test('view and report see everything and can change nothing, and read why', async ({ browser }) => {
  for (const scope of ['view', 'report'] as const) {
    const { body } = await server.api<NewToken>('/tokens', { body: { name: `only ${scope}`, scope } })
    const page = await guest(browser, body.token)
    const heard = listenTo(page)
    await page.goto(`${server.url}/runs/${demo.run}/settings`)
    await expect(page.getByRole('table', { name: 'Disk use by kind' })).toBeVisible()
    const why = `This needs a token with the scope operate; the token of only ${scope} has ${scope}.`
    await expect(page.getByText(why)).toHaveCount(5)
    await expect(page.getByRole('button', { name: /^(Revoke|Make token)/ })).toHaveCount(0)
    for (const name of ['Delete run', 'Delete text', 'Rename', 'Finish the run'])
      await expect(page.getByRole('button', { name })).toBeDisabled()
    await expect(page.getByRole('radio', { name: 'none' })).toBeDisabled()
    await expect(page.getByRole('link', { name: 'Export Rollouts as JSONL.gz' })).toBeVisible()
    await shoot(page, scope)
    expect(heard).toEqual([])
    await page.context().close()
  }
})

test('what is kept: the draft is in the address, says what it frees, and frees it', async ({ page }) => {
  const texts = async () => (await server.api<DiskUse>(`/runs/${demo.run}/disk`)).body.counts.texts
  await open(page)
  const keep = region(page, 'Keep')
  await keep.getByText('newest', { exact: true }).click()
  await keep.getByLabel('Newest policies whose trajectory text is kept').fill('1')
  await expect(page).toHaveURL(/keep=newest-1-fe/)
  await keep.getByText('none', { exact: true }).click()
  await expect(keep.getByText(/^Frees [\d.]+.(kB|MB) at once$/)).toBeVisible()
  const some = await keep.getByText(/^text of/).textContent()
  await keep.getByLabel('Always keep failures of trusted groups').uncheck()
  await keep.getByLabel('Always keep errors').uncheck()
  await expect(keep.getByText(/^text of/)).not.toHaveText(some ?? '')
  await page.reload()
  await expect(keep.getByRole('button', { name: 'Keep none' })).toBeVisible()
  await shoot(page, 'draft')
  expect(await texts()).toBeGreaterThan(0)
  await keep.getByRole('button', { name: 'Keep none' }).click()
  await expect(page.getByText(/^Freed [\d.]+.(kB|MB): the text of/)).toBeVisible()
  await expect(page).not.toHaveURL(/keep=/)
  const kept = (await server.api<{ rule: { text: string } }>(`/runs/${demo.run}/keep`)).body
  expect(kept.rule.text).toBe('none')
  await keep.getByText('all', { exact: true }).click()
  await keep.getByRole('button', { name: 'Keep all' }).click()
  await expect(page.getByText('Keep all: nothing had to go.')).toBeVisible()
})

test('alarms are sent to an address: what is none is refused, the secret is shown once, a test tells how it went', async ({
  page,
}) => {
  await open(page)
  const panel = region(page, 'Webhook')
  const form = panel.getByRole('form', { name: 'Set the webhook' })
  await form.getByLabel('Address').fill('ftp://hooks.example.org/')
  await form.getByRole('button', { name: 'Set' }).click()
  await expect(form.getByText('is no http or https address')).toBeVisible()
  // nobody listens there
  await form.getByLabel('Address').fill('http://127.0.0.1:9/hook')
  await form.getByRole('button', { name: 'Set' }).click()
  await expect(panel.getByText('sent to 127.0.0.1:9, set by mira.')).toBeVisible()
  await expect(panel.getByText('A secret is made.')).toBeVisible()
  await panel.getByRole('button', { name: 'Send a test' }).click()
  await expect(panel.getByText(/^Test not delivered .*: ECONNREFUSED\.$/)).toBeVisible()
  await page.reload()
  await expect(form.getByLabel('Address')).toHaveValue('http://127.0.0.1:9/hook')
  await expect(panel.getByText('A secret is made.')).toHaveCount(0)
  await panel.getByRole('button', { name: 'Tell nobody' }).click()
  await expect(panel.getByText('Alarms are told on the pages only.')).toBeVisible()
})

test('an export is the whole file', async ({ page }) => {
  await open(page)
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export Rollouts as JSONL.gz' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(/-rollouts\.jsonl\.gz$/)
  const lines = gunzipSync(readFileSync(await file.path()))
    .toString()
    .trimEnd()
    .split('\n')
  expect(lines.length).toBeGreaterThan(100)
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('messages')
  const csv = await page.request.get(`${server.url}/api/v1/runs/${demo.run}/exports/picks?format=csv`)
  expect(csv.headers()['content-disposition']).toContain('-picks.csv"')
  expect((await csv.text()).split('\r\n')[0]).toMatch(/^batch,policyVersion,at,/)
})

test('a deleted run goes by its whole name, and pages that still show it say who did it', async ({ page, context }) => {
  const other = await context.newPage()
  await open(page)
  await other.goto(`${server.url}/runs/${demo.run}/overview`)
  await expect(other.locator('h2').first()).toBeVisible()
  const name = (await server.api<RunSummary>(`/runs/${demo.run}`)).body.name
  const box = page.getByRole('form', { name: 'Rename the run' })
  await box.getByLabel('Name').fill('doomed run')
  await box.getByRole('button', { name: 'Rename' }).click()
  await expect(page.locator('h1')).toContainText('doomed run')
  const form = page.getByRole('form', { name: 'Delete the run' })
  await expect(form.getByText(/^Deletes doomed run: [\d\s]+ rollouts, /)).toBeVisible()
  await expect(form.getByText(/stays; no other run uses it\. A trainer is connected: /)).toBeVisible()
  const typed = form.getByLabel('Type the name of the run to delete it')
  const button = form.getByRole('button', { name: 'Delete run' })
  await typed.fill(name)
  await expect(form.getByText('This is not its name.')).toBeVisible()
  await typed.fill('doomed r')
  await expect(form.getByText('2 more characters.')).toBeVisible()
  await expect(button).toBeDisabled()
  await shoot(page, 'delete')
  await typed.fill('doomed run')
  await button.click()
  await expect(page).toHaveURL(`${server.url}/`)
  await expect(page.getByText(/^doomed run is deleted; the task set .* stays\.$/)).toBeVisible()
  const said = /^The run "doomed run" was deleted by mira on \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/
  await expect(other.getByRole('heading', { name: said })).toBeVisible()
  await shoot(other, 'gone')
  await other.goto(`${server.url}/runs/${demo.run}/settings`)
  await expect(other.getByRole('heading', { name: said })).toBeVisible()
  await other.getByRole('link', { name: 'See the other runs' }).click()
  await expect(other).toHaveURL(`${server.url}/`)
  expect((await server.api<{ total: number }>('/task-sets')).body.total).toBe(1)
})
