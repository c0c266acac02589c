/**
 * The browser of bench:page: bytes over the line by kind, layout shift and the duration of interactions, as Chromium counts them.
 * Owns: the instruments. Must never know: which pages there are. Invariant: bytes are those that came over the line, compressed;
 * shifts are summed over the whole visit (stricter than the largest window); an interaction lasts from the input to the next paint.
 */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'

const SYSTEM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
/** Event timings are whole multiples of 8 ms and told from 16 ms on. */
export const LEAST_TOLD_MS = 16

export interface Bytes {
  document: number
  script: number
  style: number
  font: number
  data: number
}

export interface Instruments {
  page: Page
  bytes: Bytes
  /** requests of the API since the visit began, by path */
  calls: { path: string; bytes: number }[]
  errors: string[]
}

interface Seen {
  shift: number
  slowest: number
}

declare global {
  interface Window {
    measured: Seen
  }
}

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(existsSync(SYSTEM) ? { executablePath: SYSTEM } : {}),
    args: [
      '--enable-unsafe-swiftshader',
      '--disable-background-networking',
      '--no-first-run',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  })
}

/** A new profile, so that nothing is cached, signed in with the cookie (`name=value`) of the server at `address`. */
export async function newVisit(
  browser: Browser,
  address: string,
  cookie: string,
): Promise<Instruments & { context: BrowserContext }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const at = cookie.indexOf('=')
  await context.addCookies([{ name: cookie.slice(0, at), value: cookie.slice(at + 1), url: address }])
  // tsx names inner functions through a helper that a page does not have
  await context.addInitScript('globalThis.__name = (named) => named')
  const page = await context.newPage()
  await page.addInitScript(() => {
    window.measured = { shift: 0, slowest: 0 }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
        if (!entry.hadRecentInput) window.measured.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
        if ((entry.interactionId ?? 0) > 0) window.measured.slowest = Math.max(window.measured.slowest, entry.duration)
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit)
  })
  const instruments: Instruments = {
    page,
    bytes: { document: 0, script: 0, style: 0, font: 0, data: 0 },
    calls: [],
    errors: [],
  }
  page.on('pageerror', (error) => instruments.errors.push(error.message))
  await count(await context.newCDPSession(page), instruments)
  return { ...instruments, context }
}

const KINDS: Record<string, keyof Bytes> = {
  Document: 'document',
  Script: 'script',
  Stylesheet: 'style',
  Font: 'font',
}

async function count(session: CDPSession, { bytes, calls }: Instruments): Promise<void> {
  const open = new Map<string, { path: string; kind: keyof Bytes }>()
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    open.set(requestId, { path: new URL(response.url).pathname, kind: KINDS[type] ?? 'data' })
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const known = open.get(requestId)
    if (known === undefined) return
    bytes[known.kind] += encodedDataLength
    if (known.path.startsWith('/api/')) calls.push({ path: known.path, bytes: encodedDataLength })
  })
  await session.send('Network.enable')
}

export const shiftOf = (page: Page): Promise<number> => page.evaluate(() => window.measured.shift)

/** Milliseconds from the input to the next paint of the slowest event that `act` makes; under LEAST_TOLD_MS it is 0. */
export async function interaction(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    window.measured.slowest = 0
  })
  await act()
  // entries come after the paint, and a slow one later
  await page.waitForTimeout(700)
  return page.evaluate(() => window.measured?.slowest ?? 0)
}

/** As a tab in the background sees it: what polls must stop. */
export async function hide(page: Page): Promise<void> {
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' })
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    window.dispatchEvent(new Event('visibilitychange'))
  })
}
