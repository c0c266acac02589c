import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import type { NewToken } from '@/lib/contract/token'
import { outOfPlace } from '@/tests/support/layout'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

const PUBLIC = path.resolve(import.meta.dirname, '../../public')

/** A trainer on the real client. `report` is Python: how a pick's rollouts are written. */
function trainer(name: string, mode: 'choose' | 'shadow', report: string): string {
  return `
import sys
sys.path.insert(0, ${JSON.stringify(PUBLIC)})
from envsched import Client
tasks = {"name": ${JSON.stringify(name)}, "environments": [{"key": "AIR"}],
         "tasks": [{"environment": "AIR", "key": f"airline_{i}", "text": f"${name} {i}"} for i in range(12)]}
client = Client(retries=0)
run = client.start_run(client.register_tasks(tasks), ${JSON.stringify(name)}, mode="${mode}")
for step in range(2):
    ${
      mode === 'shadow'
        ? 'rows = [{"environment": "AIR", "task": f"airline_{i}", "policyVersion": step, "reward": k} for i in range(4) for k in (0, 1)]'
        : `rows = [${report} for pick in run.next_batch(size=4, group_size=2, policy_version=step) for k in (0, 1)]`
    }
    run.report(rows)
`
}

test.describe('the Connect page', () => {
  test.skip(spawnSync('python3', ['--version']).status !== 0, 'python3 is not on the path.')
  let server: TestServer
  let folder: string
  const children: ChildProcess[] = []

  test.beforeAll(async () => {
    server = await startServer()
    folder = mkdtempSync(path.join(tmpdir(), 'envsched-connect-'))
  })

  test.afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function runTrainer(code: string, token: string): Promise<number | null> {
    const child = spawn('python3', ['-c', code], {
      cwd: folder,
      env: { ...process.env, ENVSCHED_URL: server.url, ENVSCHED_TOKEN: token },
      stdio: 'ignore',
    })
    children.push(child)
    return new Promise((resolve) => child.on('close', resolve))
  }

  const check = (page: Page, at: number) => page.getByRole('list', { name: 'Live check' }).getByRole('listitem').nth(at)

  test('tells a wrong token, wrong task keys, and turns green by itself when all is well', async ({ page }) => {
    test.setTimeout(90_000)
    const heard = listenTo(page)
    await signIn(page, server)
    await page.goto(`${server.url}/connect?recipe=slime`)
    await expect(page.getByRole('heading', { name: /^No trainer is connected yet/ })).toBeVisible()
    for (const at of [1, 2, 3]) await expect(check(page, at)).toHaveAttribute('data-state', 'wait')
    await expect(page.getByRole('button', { name: 'Open the run' })).toBeDisabled()

    await page.getByRole('button', { name: 'Make a token' }).click()
    await expect(page.getByText(/^export ENVSCHED_TOKEN=es_rep_•+/)).toBeVisible()
    await page.getByRole('button', { name: 'Show' }).click()
    const line = (await page.getByText(/^export ENVSCHED_TOKEN=es_rep_/).textContent()) ?? ''
    const token = line.split('=')[1] ?? ''
    expect(token.length).toBeGreaterThan(30)
    // the recipe holds it from now on, as hidden as the line above was
    const filled = page.getByRole('region', { name: 'Code of slime_envsched.py' })
    await expect(filled).toContainText(/"ENVSCHED_TOKEN", "es_rep_•+\w{4}"/)
    await expect(filled).toContainText(`"ENVSCHED_URL", "${server.url}"`)

    expect(await runTrainer(trainer('lost', 'choose', '0'), 'es_rep_wrong')).not.toBe(0)
    await expect(page.getByRole('heading', { name: /^A trainer is refused: 1 call came with a token/ })).toBeVisible()
    await expect(check(page, 0)).toHaveAttribute('data-state', 'bad')
    await expect(check(page, 0)).toContainText('The token is not known here or was revoked: make one at 1')

    const wrong = '{**pick.rollout(reward=k), "lease": None, "task": pick.task.replace("_", "-")}'
    expect(await runTrainer(trainer('8b-tools-s0', 'choose', wrong), token)).toBe(0)
    await expect(page.getByRole('heading', { name: /but its reports are refused\.$/ })).toBeVisible()
    for (const at of [0, 1, 2]) await expect(check(page, at)).toHaveAttribute('data-state', 'ok')
    await expect(check(page, 0)).toContainText(/with envsched\.py 0\.1\.0, token trainer, scope report\./)
    await expect(check(page, 1)).toContainText('8b-tools-s0: 12 tasks in 1 environment, new content.')
    await expect(check(page, 3)).toHaveAttribute('data-state', 'bad')
    await expect(check(page, 3)).toContainText('16 rollouts arrived, all 16 were refused.')
    await expect(check(page, 3)).toContainText(/The nearest key is "airline_\d+"; all 16 differ in the same way\./)
    for (const width of [1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 800 })
      await expect.poll(() => outOfPlace(page), { message: String(width) }).toEqual([])
    }
    await page.setViewportSize({ width: 1280, height: 800 })

    expect(await runTrainer(trainer('good', 'choose', 'pick.rollout(reward=k)'), token)).toBe(0)
    await expect(
      page.getByRole('heading', { name: 'Connected: good asks, rolls out and reports, 16 rollouts so far.' }),
    ).toBeVisible()
    for (const at of [0, 1, 2, 3]) await expect(check(page, at)).toHaveAttribute('data-state', 'ok')
    await expect(check(page, 3)).toContainText(/16 rollouts taken\..*\d\d:\d\d:\d\d/)

    await page.getByRole('combobox', { name: /^Watch/ }).selectOption({ label: '8b-tools-s0' })
    await expect(page).toHaveURL(/[?&]run=/)
    await expect(check(page, 3)).toHaveAttribute('data-state', 'bad')
    await page.getByRole('combobox', { name: /^Watch/ }).selectOption('')
    await page.getByRole('link', { name: 'Open the run' }).click()
    await expect(page).toHaveURL(/\/runs\/[^/]+\/overview$/)
    expect(heard).toEqual([])
  })

  test('shows the recipes that are there, and needs no batch in shadow mode', async ({ page }) => {
    await signIn(page, server)
    await page.goto(`${server.url}/connect`)
    await expect(page.getByRole('tab', { name: 'plain loop' })).toHaveAttribute('aria-selected', 'true')
    const code = page.getByRole('region', { name: 'Code of loop_envsched.py' })
    await expect(code.locator('[data-adapt]').first()).toContainText('client.register_tasks')
    expect(await code.locator('[data-adapt]').count()).toBeGreaterThan(3)
    await expect(code).toContainText(`"ENVSCHED_URL", "${server.url}"`)
    await expect(page.getByRole('region', { name: 'Lines for plain loop' })).toContainText(`--url ${server.url}`)
    // the name of the first test's token is taken
    await expect(page.getByRole('textbox', { name: 'named' })).toHaveValue('trainer 2')
    await page.getByRole('tab', { name: 'verl', exact: true }).click()
    await expect(page).toHaveURL(/\?recipe=verl$/)
    await expect(page.getByRole('paragraph').filter({ hasText: /^Tested against verl 0\.9\.1/ })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Lines for verl' })).toContainText('data.dataloader_num_workers=0')
    await page.keyboard.press('End')
    await expect(page.getByRole('tab', { name: 'OpenRLHF' })).toBeFocused()
    await expect(page.getByRole('region', { name: 'Code of openrlhf_envsched.py' })).toBeVisible()
    await page.getByRole('radio', { name: /Shadow mode/ }).check()
    await expect(page).toHaveURL(/mode=shadow/)
    await expect(page.getByRole('region', { name: 'Lines for Shadow mode' })).toContainText('mode="shadow"')

    const made = await server.api<NewToken>('/tokens', { method: 'POST', body: { name: 'watcher', scope: 'report' } })
    expect(await runTrainer(trainer('watched', 'shadow', ''), made.body.token)).toBe(0)
    await expect(page.getByRole('heading', { name: 'Connected: watched reports, 16 rollouts so far.' })).toBeVisible()
    await expect(check(page, 2)).toContainText('Not asked for: this run is in shadow mode.')
    await page.route(/\/api\/v1\/(connect|server)/, (route) => route.abort())
    await expect(page.getByRole('heading', { name: /^The server does not answer since \d\d:\d\d; / })).toBeVisible()
    for (const at of [0, 1, 2, 3]) await expect(check(page, at)).toHaveAttribute('data-state', 'wait')
    await expect(page.getByText('Server out of reach')).toBeVisible()
    await page.unrouteAll()
    await expect(page.getByRole('heading', { name: /^Connected: watched/ })).toBeVisible()
  })
})
