/**
 * What a person does on a page, found on the page itself, so that a page that is built later is tried by what it has.
 * Owns: the acts. Must never know: a page's name. Invariant: an act that a page does not have is null, never 0.
 */
import type { Page } from '@playwright/test'
import { interaction } from './bench-page-browser'

export interface Act {
  name: string
  /** milliseconds to the next paint, null = this page has nothing of the kind */
  ms: number | null
  /** milliseconds until the answer of it stands there (a preview, the next page), where it has one */
  answered?: number | null
}

const ANSWER = 'main h2'
const PATIENCE_MS = 20_000

async function within<T>(work: Promise<T>): Promise<T | null> {
  return work.catch(() => null)
}

async function pressed(
  page: Page,
  name: string,
  selector: string,
  act: (at: string) => Promise<unknown>,
): Promise<Act> {
  const found = page.locator(selector).first()
  if (!(await found.isVisible().catch(() => false))) return { name, ms: null }
  return { name, ms: await within(interaction(page, () => act(selector))) }
}

/** Milliseconds until the page's sentence differs from `before`. */
async function untilAnswered(page: Page, before: string | null): Promise<number | null> {
  const started = performance.now()
  const changed = page.waitForFunction(
    ([selector, text]) => {
      const now = document.querySelector(selector ?? '')?.textContent ?? null
      return now !== null && now !== text
    },
    [ANSWER, before],
    { timeout: PATIENCE_MS, polling: 50 },
  )
  return (await within(changed)) === null ? null : performance.now() - started
}

/** A sort, an opened row, a scrub, a typed search, a chosen mark: whatever the page has. */
export async function actsOn(page: Page): Promise<Act[]> {
  const click = (at: string) => page.locator(at).first().click({ timeout: 5000 })
  const key = (name: string) => (at: string) => page.locator(at).first().press(name, { timeout: 5000 })
  const acts = [
    await pressed(page, 'sort', 'main th button', click),
    await pressed(page, 'open row', 'main tbody [aria-expanded="false"]', click),
    await pressed(page, 'scrub', 'main [role="slider"]', key('ArrowLeft')),
    await pressed(page, 'search', 'main [role="combobox"]', async (at) => {
      await page.locator(at).first().pressSequentially('ord', { delay: 60, timeout: 5000 })
    }),
    await pressed(page, 'select in graph', 'main [role="combobox"]', key('Enter')),
    await pressed(page, 'click on canvas', 'main canvas', async (at) => {
      const box = await page.locator(at).first().boundingBox()
      if (box !== null) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    }),
  ]
  return [...acts, ...(await slid(page))]
}

/** A slider is moved; where it drafts a change, the preview of that draft is its answer. */
async function slid(page: Page): Promise<Act[]> {
  const drafts = (await page.locator('main input[aria-label$=", slider"]').count()) > 0
  const started = performance.now()
  const shown = drafts
    ? within(
        page
          .locator('main .cells')
          .first()
          .waitFor({ state: 'visible', timeout: PATIENCE_MS })
          .then(() => performance.now() - started),
      )
    : null
  const act = await pressed(page, 'move slider', 'main input[type="range"]', (at) =>
    page.locator(at).first().press('ArrowRight', { timeout: 5000 }),
  )
  return shown === null || act.ms === null ? [act] : [{ ...act, name: 'preview of a draft', answered: await shown }]
}

/** To another page by its tab: until the next paint, and until that page's sentence stands there. */
export async function changeTab(page: Page, nav: string): Promise<Act> {
  const tab = `${nav} a:not([aria-current])`
  const before = await page
    .locator(ANSWER)
    .first()
    .textContent({ timeout: 2000 })
    .catch(() => null)
  const answered = untilAnswered(page, before)
  const act = await pressed(page, 'tab change', tab, (at) => page.locator(at).first().click({ timeout: 5000 }))
  return { ...act, answered: act.ms === null ? null : await answered }
}
