import { expect, type Page, test } from '@playwright/test'
import type { BatchAnswer } from '@/lib/contract/batch'
import type { Comparison } from '@/lib/contract/comparison'
import type { RunDetail } from '@/lib/contract/run'
import type { TaskSetDetail } from '@/lib/contract/task-set'
import { axeFindings } from '@/tests/support/axe'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'
import { toyReward, toyTaskSet } from '@/tests/support/toy-run'

let server: TestServer
const runs: Record<string, string> = {}
const idsOf = (...names: string[]) => names.map((name) => runs[name] ?? '').join(',')

async function train(name: string, taskSet: string, steps: number, given: object): Promise<void> {
  const run = await server.api<RunDetail>('/runs', { body: { taskSet, name, key: name, ...given } })
  runs[name] = run.body.id
  const path = `/runs/${run.body.id}`
  for (let step = 0; step < steps; step += 1) {
    const body = { requestId: `s${step}`, size: 12, groupSize: 4, policyVersion: step }
    const batch = (await server.api<BatchAnswer>(`${path}/batches`, { body })).body
    const rollouts = batch.picks.flatMap((pick) =>
      [0, 1, 2, 3].map((k) => ({
        id: `${pick.lease}-${k}`,
        lease: pick.lease,
        environment: pick.environment,
        task: pick.task,
        policyVersion: step,
        reward: toyReward(`${pick.environment} ${pick.task}`, step, k),
      })),
    )
    await server.api(`${path}/rollouts`, { body: rollouts })
  }
  if (steps > 0) await server.api(path, { method: 'PATCH', body: { status: 'finished' } })
}

test.beforeAll(async () => {
  server = await startServer()
  const set = async (name: string, tasksEach: number) =>
    (await server.api<TaskSetDetail>('/task-sets', { body: toyTaskSet(3, tasksEach, name) })).body.id
  const [toy, other] = [await set('toy', 8), await set('other', 6)]
  await train('ours-s0', toy, 5, { seed: 0 })
  await train('ours-s1', toy, 4, { seed: 1 })
  await train('uniform-s0', toy, 5, { seed: 0, config: { scheduler: 'uniform' } })
  await train('uniform-s1', toy, 3, { seed: 1, config: { scheduler: 'uniform' } })
  await train('elsewhere', other, 2, { seed: 0 })
  await train('unbegun', toy, 0, { seed: 7 })
  for (const name of ['ours-s0', 'uniform-s0'])
    for (const policyVersion of [0, 2])
      await server.api(`/runs/${runs[name]}/scores`, { body: { policyVersion, name: 'held-out', value: 0.25 } })
})

test.afterAll(async () => {
  await server.stop()
})

const verdict = (page: Page) => page.locator('.verdict h2')

test('selected runs are compared: what is shown, what two seeds cannot say', async ({ page }) => {
  const heard = listenTo(page)
  await signIn(page, server)
  const table = page.getByRole('table', { name: 'Runs' })
  await table.getByRole('checkbox', { name: 'Select ours-s0' }).check()
  await expect(page.getByText('1 of at most 6 selected')).toBeVisible()
  // the same by keyboard: the row that has the focus
  await table.getByRole('link', { name: 'uniform-s0' }).focus()
  await page.keyboard.press('x')
  await expect(page.getByText('2 of at most 6 selected')).toBeVisible()
  await expect(page.getByText('both share the task set toy, so they can be compared')).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/?select=${idsOf('ours-s0', 'uniform-s0')}`)
  await page.goBack()
  await expect(page.getByText('1 of at most 6 selected')).toBeVisible()
  await table.getByRole('checkbox', { name: 'Select elsewhere' }).check()
  await expect(page.getByText('on 2 task sets: drawn beside each other, no difference is taken')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('Select up to 6 runs to compare them')).toBeVisible()

  const four = idsOf('ours-s0', 'ours-s1', 'uniform-s0', 'uniform-s1')
  await page.goto(`${server.url}/?select=${four}`)
  await page.getByRole('link', { name: 'Compare 4 runs' }).click()
  await expect(page).toHaveURL(`${server.url}/compare?runs=${four}`)
  await expect(verdict(page)).toHaveText(/EnvSched .* uniform.*2 seeds/)
  await expect(page.getByText(/^At step 2, the last that all 4 runs reached: reward/)).toBeVisible()

  // the page's figures are those of the API
  const answer = (await server.api<Comparison>(`/compare?runs=${four}`)).body
  expect(answer.common).toBe(2)
  const at = answer.x.indexOf(2)
  const row = page.getByRole('table', { name: 'At step 2' }).getByRole('row', { name: /^Informative share/ })
  for (const [i, run] of answer.runs.entries()) {
    const share = run.series.informativeShare[at] ?? Number.NaN
    await expect(row.getByRole('cell').nth(i + 1)).toHaveText((share * 100).toFixed(1))
  }
  await expect(row.getByRole('cell').last()).toHaveText(/^(shown|not shown yet)$/)
  await expect(
    page
      .getByRole('row', { name: /^held-out/ })
      .getByRole('cell')
      .nth(1),
  ).toHaveText('0.250')
  await expect(page.getByRole('figure', { name: /^EnvSched minus uniform, reward, whole set/ })).toBeVisible()
  await expect(
    page.getByText(/Band: 95.% interval over 2 seeds, paired by seed \(t, 1 degree of freedom\)/),
  ).toHaveCount(2)
  await expect(page.getByRole('table', { name: 'Settings that differ' }).getByRole('row')).toHaveCount(4)

  await page.getByText('rollouts', { exact: true }).click()
  await page.getByText('common part', { exact: true }).click()
  await expect(page).toHaveURL(`${server.url}/compare?runs=${four}&axis=rollouts&part=common`)
  await expect(page.getByRole('heading', { name: 'At 144 rollouts' })).toBeVisible()
  await page.getByRole('button', { name: 'Show Reward, whole set as table' }).click()
  await expect(page.getByRole('columnheader', { name: 'uniform-s1' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Remove uniform-s1' }).click()
  await expect(page.getByText('3 places left')).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Remove uniform-s1' })).toBeVisible()
  expect(heard).toEqual([])
})

test('every state says what it is', async ({ page }) => {
  test.setTimeout(90_000)
  const heard = listenTo(page)
  await signIn(page, server)
  const open = (...names: string[]) => page.goto(`${server.url}/compare?runs=${idsOf(...names)}`)

  await page.goto(`${server.url}/compare`)
  await expect(verdict(page)).toHaveText('Choose up to 6 runs to set beside each other.')
  await expect(page.getByRole('link', { name: /newest on toy$/ })).toBeVisible()

  await open('ours-s0')
  await expect(verdict(page)).toHaveText(/^ours-s0 finds .* add a run of another configuration/)
  await expect(page.getByText('Nothing to set it against')).toHaveCount(2)
  await page.getByRole('button', { name: 'Add a run' }).click()
  await page.getByRole('textbox', { name: 'Name of the run to add' }).fill('uni s0')
  await page.getByRole('list', { name: 'Runs to add' }).getByRole('button').click()
  await expect(verdict(page)).toHaveText(/one pair of seeds/)
  await expect(page.getByText(/^One pair of seeds: no interval/)).toHaveCount(2)

  await open('ours-s0', 'unbegun')
  await expect(page.getByText('unbegun has no whole step yet and joins with the first.')).toBeVisible()
  await open('unbegun')
  await expect(verdict(page)).toHaveText('Nothing to compare yet: this run has no whole step.')

  await open('ours-s0', 'elsewhere')
  await expect(verdict(page)).toHaveText(/are on different task sets, so neither can be said to do better\.$/)
  await expect(page.getByText('No difference across task sets')).toHaveCount(2)

  await page.goto(`${server.url}/compare?runs=${idsOf('ours-s0')},was-deleted`)
  await expect(page.getByText('was-deleted, deleted')).toBeVisible()
  await page.goto(`${server.url}/compare?runs=was-deleted`)
  await expect(verdict(page)).toHaveText('None of these runs is here any more.')
  await page.goto(`${server.url}/compare?runs=${idsOf('ours-s0')}&axis=tokens`)
  await expect(page.getByText('ours-s0 reports no tokens, so it is not on this axis.')).toBeVisible()
  expect(heard).toEqual([])
})

test('it fits its window and axe finds nothing, in both themes', async ({ page }) => {
  test.setTimeout(90_000)
  await signIn(page, server)
  for (const path of [
    `/compare?runs=${idsOf('ours-s0', 'ours-s1', 'uniform-s0', 'uniform-s1', 'elsewhere')}`,
    `/?select=${idsOf('ours-s0', 'ours-s1')}`,
  ]) {
    await page.goto(server.url + path)
    await expect(verdict(page)).toBeVisible()
    for (const [colorScheme, width] of [
      ['light', 1280],
      ['dark', 1024],
      ['light', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 800 })
      await page.waitForTimeout(150)
      await expect.poll(() => outOfPlace(page), { message: `${path}, ${width}` }).toEqual([])
      expect(await axeFindings(page), `${path}, ${colorScheme}`).toEqual([])
    }
  }
})
