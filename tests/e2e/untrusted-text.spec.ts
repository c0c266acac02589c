/**
 * Everything that a trainer or a person may write is shown as text: names, keys, task texts, tools, notes, errors. Nothing of
 * it runs, loads or becomes an element, and no page breaks on it.
 */
import { expect, test } from '@playwright/test'
import type { BatchAnswer } from '@/lib/contract/batch'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

let server: TestServer
test.beforeAll(async () => {
  server = await startServer()
})
test.afterAll(() => server.stop())

const EVIL = `</script><script>window.ran=1</script><img src=x onerror="window.ran=2"><svg onload="window.ran=3">`
const LINK = `javascript:window.ran=4//"><a href="javascript:window.ran=5">`
const ODD = `"'\`\${window.ran=6}{{7*7}}&lt;b&gt; \u202e ../../ 日本 😀 %00 #?`

test('what others wrote is shown as text on every page', async ({ page }) => {
  const heard = listenTo(page)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const set = {
    name: EVIL,
    environments: [EVIL, LINK, ODD].map((key) => ({
      key,
      name: key.slice(0, 200),
      tools: [{ name: EVIL, description: LINK }, { name: ODD }],
      state: [EVIL],
      verifier: { kind: EVIL, checks: [LINK] },
    })),
    tasks: [EVIL, LINK, ODD].flatMap((environment) =>
      [EVIL, LINK, ODD].map((key) => ({
        environment,
        key,
        text: `${key} ${EVIL}`,
        tools: [EVIL, ODD],
        checks: [LINK],
      })),
    ),
  }
  const { body: taskSet } = await server.api<{ id: string }>('/task-sets', { body: set })
  const config = { taskSet: taskSet.id, name: EVIL, model: LINK, algorithm: ODD }
  const { body: run } = await server.api<{ id: string }>('/runs', { body: config })
  for (let step = 0; step < 2; step += 1) {
    const request = { requestId: `${step}${ODD}`, size: 6, groupSize: 2, policyVersion: step }
    const { body: batch } = await server.api<BatchAnswer>(`/runs/${run.id}/batches`, { body: request })
    const rollouts = batch.picks.flatMap((pick) =>
      [0, 1].map((reward) => ({
        id: `${EVIL}${pick.lease}${reward}`,
        lease: pick.lease,
        policyVersion: step,
        reward,
        error: EVIL,
        worker: LINK,
        tools: [EVIL],
        rewardComponents: [{ name: EVIL, value: 1, message: LINK }],
        messages: [{ role: EVIL, content: EVIL }],
      })),
    )
    await server.api(`/runs/${run.id}/rollouts`, { body: rollouts })
  }
  await server.api(`/runs/${run.id}/scores`, { body: { policyVersion: 1, name: EVIL.slice(0, 100), value: 1 } })
  await server.api(`/runs/${run.id}`, { method: 'PATCH', body: { status: 'paused', note: EVIL } })

  await signIn(page, server)
  const rooms = ['overview', 'batch', 'graph', 'environments', 'steering', 'tasks', 'tasks/t0', 'tasks/t8', 'rollouts']
  for (const path of ['/', ...rooms.map((room) => `/runs/${run.id}/${room}`)]) {
    const response = await page.goto(`${server.url}${path}`)
    expect(response?.status(), path).toBeLessThan(500)
    await page.waitForLoadState('networkidle')
    const found = await page.evaluate(() => ({
      ran: 'ran' in window,
      images: document.querySelectorAll('img[src="x"], svg[onload], [onerror]').length,
      links: [...document.querySelectorAll('a')].filter((link) => link.protocol === 'javascript:').length,
    }))
    expect(found, path).toEqual({ ran: false, images: 0, links: 0 })
  }
  await expect(page.locator('body')).toContainText('window.ran=2')
  expect(dialogs).toEqual([])
  expect(heard).toEqual([])
})
