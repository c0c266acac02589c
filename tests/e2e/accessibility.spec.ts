import { expect, type Page, test } from '@playwright/test'
import { RUN_TABS, SERVER_TABS, tabPath } from '@/components/shell/run-tabs'
import type { RunDetail } from '@/lib/contract/run'
import type { TaskRow } from '@/lib/contract/task'
import { axeFindings } from '@/tests/support/axe'
import { type DemoTrainer, startDemoTrainer } from '@/tests/support/demo'
import { listenTo, signIn } from '@/tests/support/page'
import { startServer, type TestServer } from '@/tests/support/server'

const STEPS = 6
/** More stops of the Tab key than any page has at these sizes: a focus that never leaves is a trap. */
const STOPS = 600

let server: TestServer
let demo: DemoTrainer
let paths: { name: string; path: string }[]

test.beforeAll(async () => {
  server = await startServer()
  demo = await startDemoTrainer(server, { pace: 1, steps: STEPS, key: 'access' })
  const run = demo.run
  await expect
    .poll(async () => (await server.api<RunDetail>(`/runs/${run}`)).body.batch, { timeout: 90_000 })
    .toBeGreaterThanOrEqual(STEPS)
  const { items } = (await server.api<{ items: TaskRow[] }>(`/runs/${run}/tasks?limit=1`)).body
  const task = items[0]?.id ?? ''
  paths = [
    ...SERVER_TABS.map(({ word, path }) => ({ name: word, path })),
    ...RUN_TABS.map(({ word, segment }) => ({
      name: word,
      path: segment === 'tasks' ? tabPath(run, `tasks/${task}`) : tabPath(run, segment),
    })),
    { name: 'Graph as a table', path: `${tabPath(run, 'graph')}?table=1` },
    { name: 'Next batch', path: `${tabPath(run, 'batch')}?batch=next` },
  ]
})

test.afterAll(async () => {
  demo.stop()
  await server.stop()
})

async function arrived(page: Page): Promise<void> {
  await expect(page.locator('h2').first()).toBeVisible({ timeout: 30_000 })
  await expect(page.locator('.skeleton')).toHaveCount(0)
}

test('axe finds nothing on any page, in light and dark', async ({ page }) => {
  test.setTimeout(240_000)
  const heard = listenTo(page)
  await signIn(page, server)
  for (const { name, path } of paths) {
    await test.step(name, async () => {
      await page.goto(server.url + path)
      await arrived(page)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        expect.soft(await axeFindings(page), `${name}, ${colorScheme}`).toEqual([])
      }
      expect.soft(heard.splice(0), name).toEqual([])
    })
  }
})

test('the Tab key reaches every control of every page, visibly, and is never trapped', async ({ page }) => {
  test.setTimeout(240_000)
  await signIn(page, server)
  for (const { name, path } of paths) {
    await test.step(name, async () => {
      await page.goto(server.url + path)
      await arrived(page)
      const walk = await page.evaluate(() => {
        // what is shown and can be pressed; the canvas has its table
        const shown = (element: Element) => element.checkVisibility({ checkVisibilityCSS: true })
        return [...document.querySelectorAll('a[href], button, input, select, textarea, [role=slider]')].filter(
          (element) => shown(element) && !element.matches(':disabled, [type=hidden], [tabindex="-1"]'),
        ).length
      })
      const seen = new Set<number>()
      const faint: string[] = []
      for (let stop = 0; stop < STOPS; stop += 1) {
        await page.keyboard.press('Tab')
        const at = await page.evaluate(() => {
          const element = document.activeElement
          if (element === null || element === document.body) return null
          const all = [...document.querySelectorAll('*')]
          const style = getComputedStyle(element)
          const near = element.closest('label') ?? element.parentElement
          const marked = (one: CSSStyleDeclaration | null) =>
            one !== null && ((one.outlineStyle !== 'none' && one.outlineWidth !== '0px') || one.boxShadow !== 'none')
          return {
            index: all.indexOf(element),
            what: element.outerHTML.slice(0, 120),
            marked: marked(style) || marked(near === null ? null : getComputedStyle(near)),
          }
        })
        if (at === null || seen.has(at.index)) break
        seen.add(at.index)
        if (!at.marked) faint.push(at.what)
      }
      expect(seen.size, `${name}: stops of ${walk} controls`).toBeLessThan(STOPS)
      expect(seen.size, `${name}: stops of ${walk} controls`).toBeGreaterThanOrEqual(Math.min(walk, 12))
      expect.soft(faint, `${name}: stops without a visible focus`).toEqual([])
    })
  }
})
