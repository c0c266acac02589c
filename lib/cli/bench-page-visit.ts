/**
 * One visit of one page, with an empty cache: what came over the line, when its answer stood there, what moved, how quick its acts
 * are, what a tick of polling costs while nothing happens, whether a hidden tab is silent, and how many rows are in the document.
 * Owns: the order of a visit. Invariant: a page that answers with an error, or that shows no answer in time, is a row that says so.
 */
import type { Browser } from '@playwright/test'
import { type Act, actsOn, changeTab } from './bench-page-acts'
import { hide, type Instruments, newVisit, shiftOf } from './bench-page-browser'

export interface PageFigures {
  page: string
  path: string
  /** what kept the page from being measured, or null */
  error: string | null
  kilobytes: { document: number; script: number; style: number; font: number; data: number; total: number } | null
  /** milliseconds from the start of the navigation until the page's sentence is visible */
  answerMs: number | null
  layoutShift: number | null
  acts: Act[]
  /** kilobytes of one tick on a quiet run, and ticks counted; null where the page does not poll */
  tickKilobytes: number | null
  ticks: number
  /** requests of the API in HIDDEN_MS of a hidden tab */
  hiddenCalls: number | null
  /** of the longest table */
  rows: number | null
  /** what was thrown on the page */
  thrown: string[]
}

export interface Target {
  page: string
  path: string
  /** the tabs that lead away from it */
  nav: string
}

const ANSWER_MS = 30_000
const SETTLE_MS = 2500
const QUIET_MS = 8000
const HIDDEN_MS = 6000
const GRACE_MS = 2000

const kilo = (bytes: number) => bytes / 1000

function kilobytesOf({ bytes }: Instruments): PageFigures['kilobytes'] {
  const total = Object.values(bytes).reduce((sum, one) => sum + one, 0)
  return {
    document: kilo(bytes.document),
    script: kilo(bytes.script),
    style: kilo(bytes.style),
    font: kilo(bytes.font),
    data: kilo(bytes.data),
    total: kilo(total),
  }
}

export async function visit(browser: Browser, address: string, cookie: string, target: Target): Promise<PageFigures> {
  const figures: PageFigures = {
    ...{ page: target.page, path: target.path, error: null, kilobytes: null, answerMs: null, layoutShift: null },
    ...{ acts: [], tickKilobytes: null, ticks: 0, hiddenCalls: null, rows: null, thrown: [] },
  }
  const visited = await newVisit(browser, address, cookie)
  const { page, context, calls, errors } = visited
  try {
    const started = performance.now()
    const response = await page.goto(`${address}${target.path}`, { waitUntil: 'commit', timeout: ANSWER_MS })
    const status = response?.status() ?? 0
    if (status !== 200) return { ...figures, error: `answered ${status}` }
    const shown = await page
      .locator('main h2')
      .first()
      .waitFor({ state: 'visible', timeout: ANSWER_MS })
      .then(() => true)
      .catch(() => false)
    if (!shown)
      return { ...figures, error: `no sentence within ${ANSWER_MS / 1000} s`, kilobytes: kilobytesOf(visited) }
    figures.answerMs = performance.now() - started
    await page.waitForTimeout(SETTLE_MS)
    figures.kilobytes = kilobytesOf(visited)
    figures.layoutShift = await shiftOf(page)
    figures.rows = await page.evaluate(() =>
      Math.max(
        0,
        ...[...document.querySelectorAll('main table')].map((table) => table.querySelectorAll('tbody tr').length),
      ),
    )
    calls.length = 0
    await page.waitForTimeout(QUIET_MS)
    figures.ticks = calls.filter(({ path }) => path.endsWith('/changes')).length
    const polled = calls.reduce((sum, { bytes }) => sum + bytes, 0)
    // the server's own pages have no cursor: everything they ask in the time of one tick of a run counts
    figures.tickKilobytes = calls.length === 0 ? null : kilo(polled) / Math.max(1, figures.ticks)
    await hide(page)
    // what was asked before still comes back
    await page.waitForTimeout(GRACE_MS)
    calls.length = 0
    await page.waitForTimeout(HIDDEN_MS)
    figures.hiddenCalls = calls.length
    await page.reload({ waitUntil: 'commit' })
    await page.locator('main h2').first().waitFor({ state: 'visible', timeout: ANSWER_MS })
    await page.waitForTimeout(SETTLE_MS)
    figures.acts = await actsOn(page)
    figures.acts.push(await changeTab(page, target.nav))
    return figures
  } catch (cause) {
    return { ...figures, error: cause instanceof Error ? (cause.message.split('\n')[0] ?? 'failed') : 'failed' }
  } finally {
    figures.thrown.push(...errors)
    await context.close()
  }
}
