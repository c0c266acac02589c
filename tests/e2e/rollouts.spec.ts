/**
 * The Rollouts page answers what separates solved from failed, and holds whatever a trainer sends: nothing at all, errors,
 * markup, megabytes in one line, thousands of messages.
 */
import { expect, type Page, test } from '@playwright/test'
import type { BatchAnswer } from '@/lib/contract/batch'
import type { RolloutGroups } from '@/lib/contract/rollout-group'
import { axeFindings } from '@/tests/support/axe'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

const EVIL = '<img src=x onerror="window.ran=1"><script>window.ran=2</script><b>bold</b>'
const LINE = 2_000_000
const MANY = 3000

let server: TestServer
let run: string
/** leases of the first batch */
let picks: BatchAnswer['picks']

const say = (name: string, args: object, id = 'c') => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }],
})
const answers = (content: unknown, id = 'c') => ({ role: 'tool', tool_call_id: id, content: JSON.stringify(content) })

/** A conversation in which the bag is refunded to a card. */
const refund = (card: string) => [
  { role: 'system', content: 'Rules of the airline desk.' },
  { role: 'user', content: 'Take my second bag off, please.' },
  say('read_booking', { booking: 'K7Q2RD' }),
  answers({ ok: true }),
  say('refund_bag', { bag: 2, refund_to: card }),
  answers({ ok: true, refunded: 50 }),
  { role: 'assistant', content: 'Done.' },
]

const checks = (paid: boolean) => [
  { name: 'booking', value: 1, message: 'as asked' },
  { name: 'payment', value: paid ? 1 : 0, message: paid ? 'paid back' : 'expected card_9027, found card_4410' },
]

async function ask(step: number, size: number): Promise<BatchAnswer['picks']> {
  const request = { requestId: `b${step}`, size, groupSize: 4, policyVersion: step }
  return (await server.api<BatchAnswer>(`/runs/${run}/batches`, { body: request })).body.picks
}

async function report(rollouts: object[]): Promise<void> {
  const { body } = await server.api<{ rejected: unknown[] }>(`/runs/${run}/rollouts`, { body: rollouts })
  expect(body.rejected).toEqual([])
}

test.beforeAll(async () => {
  server = await startServer()
  const environments = ['airline', 'retail'].map((key) => ({
    key,
    tools: [{ name: 'read_booking' }],
    rewardRange: [0, 1],
  }))
  const tasks = environments.flatMap(({ key }) =>
    Array.from({ length: 6 }, (_, t) => ({ environment: key, key: `${key}_${t}` })),
  )
  const set = await server.api<{ id: string }>('/task-sets', { body: { name: 'desks', environments, tasks } })
  const made = await server.api<{ id: string }>('/runs', { body: { taskSet: set.body.id, name: 'rollouts' } })
  run = made.body.id
  picks = await ask(0, 4)
  const [split, errors, long, plain] = picks
  if (split === undefined || errors === undefined || long === undefined || plain === undefined)
    throw new Error('no picks')
  const of = (pick: BatchAnswer['picks'][number], id: string, more: object) => ({
    id,
    lease: pick.lease,
    policyVersion: 0,
    ...more,
  })
  await report([
    ...[1, 0, 1, 0].map((reward, i) =>
      of(split, `split-${i}`, {
        reward,
        // the reward is told from its checks: neither equals it
        rewardComponents: [...checks(reward === 1), { name: 'politeness', value: 0.5 }],
        messages: refund(reward === 1 ? 'card_9027' : 'card_4410'),
        turns: 3,
        tokens: 6300,
        seconds: 14.9,
      }),
    ),
    of(errors, 'infra', {
      reward: null,
      status: 'infra_error',
      error: 'EnvTimeout: no answer in 30 s\n  attempt 3 of 3',
      worker: 'worker-06',
      messages: [{ role: 'user', content: 'Hello' }, say('list_fares', {})],
    }),
    of(errors, 'cut', { reward: 0, status: 'truncated', tools: ['read_booking'] }),
    of(errors, 'missing', { reward: null }),
    of(long, 'line', { reward: 1, messages: [{ role: 'user', content: `start ${'x'.repeat(LINE)} finish` }] }),
    of(long, 'many', {
      reward: 0,
      messages: Array.from({ length: MANY }, (_, i) => ({
        role: i % 2 === 0 ? 'user' : 'assistant',
        content: `line ${i}`,
      })),
    }),
    of(long, 'evil/../%00?#', {
      reward: 0,
      error: EVIL,
      worker: EVIL,
      tools: [EVIL],
      rewardComponents: [{ name: EVIL, value: 0, message: EVIL }],
      messages: [
        { role: EVIL, content: EVIL },
        {
          role: 'user',
          content: [
            { type: 'text', text: EVIL },
            { type: 'image_url', image_url: { url: EVIL } },
          ],
        },
        say(EVIL, { [EVIL]: EVIL }),
        answers({ ok: false, error: EVIL }),
        null as never,
      ].filter((message) => message !== null),
    }),
  ])
})

test.afterAll(() => server.stop())

const base = () => `${server.url}/runs/${run}/rollouts`
const verdict = (page: Page) => page.locator('h2').first()
const list = (page: Page) => page.getByRole('table', { name: 'Rollouts by group' })
const reader = (page: Page) => page.locator('article')
const row = (page: Page, id: string) => page.locator(`tr[data-row="${id}"]`)

/** Server id of a rollout. */
async function refOf(id: string): Promise<string> {
  const { body } = await server.api<{ items: { id: string; ref: string }[] }>(`/runs/${run}/rollouts?limit=100`)
  return body.items.find((item) => item.id === id)?.ref ?? 'none'
}

test('the verdict names the check that splits the group, and the call that holds the value is open', async ({
  page,
}) => {
  const heard = listenTo(page)
  await signIn(page, server)
  const ref = await refOf('split-1')
  await page.goto(`${base()}?rollout=${ref}`)
  await expect(verdict(page)).toContainText(/^2 of 4 solve \S+ at policy 0\. .*payment/)
  await expect(page.getByText('Both failures say "payment: expected card_9027, found card_4410".')).toBeVisible()
  const named = reader(page).getByRole('button', { name: /refund_bag/ })
  await expect(named).toHaveAttribute('aria-expanded', 'true')
  await expect(named).toContainText('the verifier names a value here')
  const other = reader(page).getByRole('button', { name: /read_booking/ })
  await expect(other).toHaveAttribute('aria-expanded', 'false')
  await reader(page).getByRole('button', { name: 'Unfold all calls' }).click()
  await expect(other).toHaveAttribute('aria-expanded', 'true')
  await reader(page).getByRole('button', { name: 'Raw JSON' }).click()
  await expect(reader(page).locator('pre').first()).toContainText('"id": "split-1"')

  // [ and ] stay in the group, j and k move through the list, all of it in the address
  await page.keyboard.press(']')
  await expect(page).toHaveURL(new RegExp(`rollout=${await refOf('split-2')}`))
  await expect(reader(page)).toContainText('rollout 3 of 4')
  await page.keyboard.press('[')
  await page.keyboard.press('[')
  await expect(reader(page)).toContainText('rollout 1 of 4')
  await page.keyboard.press('[')
  await expect(page).toHaveURL(new RegExp(`rollout=${await refOf('split-0')}`))
  await page.keyboard.press('j')
  await expect(page).toHaveURL(new RegExp(`rollout=${ref}`))
  await expect(row(page, ref)).toHaveAttribute('aria-selected', 'true')
  // a press is a step that Back undoes
  await row(page, await refOf('split-3')).click()
  await expect(reader(page)).toContainText('rollout 4 of 4')
  await page.goBack()
  await expect(reader(page)).toContainText('rollout 2 of 4')
  expect(heard).toEqual([])
})

test('filters stand in the address, count what they leave, and say when nothing is left', async ({ page }) => {
  await signIn(page, server)
  await page.goto(base())
  await expect(page.getByText('10 rollouts', { exact: true })).toBeVisible()
  await expect(list(page).getByText('4 still out')).toBeVisible()
  await page.getByRole('button', { name: /^status all 5/ }).click()
  await page.getByRole('button', { name: 'infra_error' }).click()
  await expect(page).toHaveURL(/status=infra_error/)
  await expect(page.getByText('1 of 10', { exact: true })).toBeVisible()
  await expect(list(page).locator('tr[data-row]')).toHaveCount(1)
  await expect(reader(page)).toContainText('Not counted. It is neither a failure nor a 0')
  await page.goBack()
  await expect(page.getByText('10 rollouts', { exact: true })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('card_4410')
  await expect(page).toHaveURL(/q=card_4410/)
  await expect(list(page).locator('tr[data-row]')).toHaveCount(2)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('no such words')
  await expect(page.getByRole('heading', { name: 'No rollout matches', exact: true })).toBeVisible()
  await expect(verdict(page)).toHaveText('No rollout matches these filters.')
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await expect(page.getByText('10 rollouts', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Export what is filtered' }).click()
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: /^JSON lines/ }).click()
  const text = await (await coming).createReadStream().then(async (stream) => {
    let all = ''
    for await (const piece of stream) all += piece
    return all
  })
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; messages: unknown[] | null })
  expect(lines).toHaveLength(10)
  expect(lines.find(({ id }) => id === 'line')?.messages).toHaveLength(1)
  expect(lines.find(({ id }) => id === 'missing')?.messages).toBeNull()
})

test('errors, what is missing, and no messages are said, and never as 0', async ({ page }) => {
  await signIn(page, server)
  await page.goto(`${base()}?rollout=${await refOf('infra')}`)
  await expect(reader(page).getByText('EnvTimeout: no answer in 30 s', { exact: true })).toBeVisible()
  await expect(reader(page).getByText(/by worker-06/)).toBeVisible()
  await expect(reader(page).locator('.figure b')).toHaveText('none')
  await expect(reader(page).getByText('The rollout ends here.')).toBeVisible()
  await page.goto(`${base()}?rollout=${await refOf('missing')}`)
  await expect(reader(page).getByText(/no reward was reported\. Missing is never 0/)).toBeVisible()
  await expect(reader(page).locator('.figure b')).toHaveText('none')
  await page.goto(`${base()}?rollout=${await refOf('cut')}`)
  await expect(reader(page).getByRole('heading', { name: 'No messages' })).toBeVisible()
  await expect(reader(page).getByText('It was cut off before its end.')).toBeVisible()
  await expect(reader(page).getByText(/Tools that it reported: read_booking/)).toBeVisible()
  await page.goto(`${base()}?rollout=r99999`)
  await expect(page.getByRole('heading', { name: 'Could not load the rollout' })).toBeVisible()
  await expect(list(page)).toBeVisible()
})

test('two megabytes in one line and thousands of messages open at once', async ({ page }) => {
  await signIn(page, server)
  await page.goto(base())
  await expect(list(page)).toBeVisible()
  const size = () => page.evaluate(() => document.querySelectorAll('*').length)
  const line = await refOf('line')
  await row(page, line).click()
  await expect(reader(page).getByText(/^Characters 1 to/)).toBeVisible({ timeout: 2000 })
  await reader(page).getByRole('button', { name: 'Last' }).click()
  await reader(page).getByRole('button', { name: 'Load all of it' }).click()
  await expect(reader(page).getByText(/of 2.000.013/)).toBeVisible({ timeout: 5000 })
  await reader(page).getByRole('button', { name: 'Last' }).click()
  await expect(reader(page).getByText(/x finish$/)).toBeVisible({ timeout: 2000 })
  expect((await reader(page).textContent())?.length).toBeLessThan(20_000)
  await row(page, await refOf('many')).click()
  await expect(reader(page).getByText('line 0', { exact: true })).toBeVisible({ timeout: 2000 })
  await expect(reader(page).getByText(/Turns 1 to \d+ of 3.000/)).toBeVisible()
  expect(await size()).toBeLessThan(3000)
  await reader(page).getByRole('button', { name: 'Show the last 60' }).click()
  await expect(reader(page).getByText('line 2999', { exact: true })).toBeVisible({ timeout: 2000 })
  await reader(page).getByRole('button', { name: 'Show 60 earlier' }).click()
  await expect(reader(page).getByText('line 2880', { exact: true })).toBeVisible()
})

test('what others wrote is text, in the list, the reader and its raw form', async ({ page }) => {
  const heard = listenTo(page)
  await signIn(page, server)
  await page.goto(`${base()}?rollout=${await refOf('evil/../%00?#')}`)
  await expect(reader(page).getByText(EVIL, { exact: true }).first()).toBeVisible()
  await reader(page).getByRole('button', { name: 'Unfold all calls' }).click()
  await reader(page).getByRole('button', { name: 'Raw JSON' }).click()
  await expect(reader(page).locator('pre').first()).toContainText('window.ran=2')
  await reader(page).getByRole('button', { name: 'Conversation' }).click()
  const found = await page.evaluate(() => ({
    ran: 'ran' in window,
    made: document.querySelectorAll('img[src="x"], [onerror], article b b, article script').length,
  }))
  expect(found).toEqual({ ran: false, made: 0 })
  expect(heard).toEqual([])
})

test('a group that comes later stands above and moves nothing; squares lead here', async ({ page }) => {
  await signIn(page, server)
  const task = picks[0]?.id ?? ''
  await page.goto(`${server.url}/runs/${run}/tasks/${task}`)
  await page.locator('a[href*="/rollouts?"]').first().click()
  await expect(page).toHaveURL(new RegExp(`/rollouts\\?task=${task}&group=g\\d+`))
  await expect(verdict(page)).toContainText(/^2 of 4 solve/)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page.getByText('10 rollouts', { exact: true })).toBeVisible()
  const chosen = await refOf('split-0')
  await row(page, chosen).click()
  const place = async () => (await row(page, chosen).boundingBox())?.y ?? Number.NaN
  const stood = await place()
  const more = await ask(1, 3)
  await report(more.flatMap((pick) => [{ id: `later-${pick.lease}`, lease: pick.lease, policyVersion: 1, reward: 1 }]))
  const newer = page.getByRole('button', { name: '3 newer groups' })
  await expect(newer).toBeVisible({ timeout: 10_000 })
  expect(await place()).toBe(stood)
  await expect(reader(page)).toContainText('rollout 1 of 4')
  await newer.click()
  await expect(list(page).getByText('policy 1').first()).toBeVisible()
  const { body } = await server.api<RolloutGroups>(`/runs/${run}/groups?policy=1`)
  expect(body.items).toHaveLength(3)
})

test('it fits at every width in both themes, and axe finds nothing', async ({ page }) => {
  const heard = listenTo(page)
  await signIn(page, server)
  const paths = [
    `${base()}?rollout=${await refOf('split-1')}`,
    `${base()}?rollout=${await refOf('infra')}`,
    `${base()}?q=none`,
  ]
  for (const path of paths) {
    await page.goto(path)
    await expect(list(page).or(page.getByRole('heading', { name: 'No rollout matches', exact: true }))).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect.soft(await axeFindings(page), path).toEqual([])
      for (const width of [1280, 1024, 390]) {
        await page.setViewportSize({ width, height: 800 })
        await expect.poll(() => outOfPlace(page), { message: `${path}, ${width}` }).toEqual([])
        if (process.env.E2E_SHOTS !== undefined)
          await page.screenshot({
            path: `${process.env.E2E_SHOTS}/rollouts-${paths.indexOf(path)}-${colorScheme}-${width}.png`,
          })
      }
      await page.setViewportSize({ width: 1280, height: 800 })
    }
  }
  expect(heard).toEqual([])
})
