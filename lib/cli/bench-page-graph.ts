/**
 * How quick the Graph page is: first picture, panning, selection, and the kilobytes of its answers.
 * Owns: the measurement in a page that is signed in. Must never know servers or runs beyond their address.
 * Invariant: times are taken inside the page, by its own clock; a figure that could not be taken is null, never 0.
 */
import type { Page, Response } from '@playwright/test'

export interface GraphFigures {
  /** ms from the start of the navigation to the frame after the drawing */
  firstPicture: number
  /** frames a second while the drawing is dragged for two seconds */
  panFrames: number
  /** ms from Enter in the search to the frame that shows the selection, and to the one with its evidence */
  selection: number
  evidence: number | null
  /** kilobytes (1,000 bytes) of each answer: as parsed, and over the line */
  answers: { path: string; kilobytes: number; sent: number | null }[]
}

const PATIENCE_MS = 120_000
const PAN_MS = 2000
/** The page's clock two frames later: the first may still be the one before. */
const FRAME_AFTER =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))'
/** Counts frames from now on. */
const COUNT_FRAMES = `(() => {
  const count = { frames: 0, start: performance.now() }
  window.benchFrames = count
  const next = () => { count.frames += 1; requestAnimationFrame(next) }
  requestAnimationFrame(next)
})()`
const FRAMES_A_SECOND = '(1000 * window.benchFrames.frames) / (performance.now() - window.benchFrames.start)'
/** Resolves with the page's clock once a selector is there, a frame later. */
const onceThere = (selector: string) => `new Promise((done) => {
  const look = () => document.querySelector(${JSON.stringify(selector)}) === null
    ? requestAnimationFrame(look)
    : requestAnimationFrame(() => done(performance.now()))
  look()
})`

/** `address` of the run's graph page; `task` a key that the search finds. */
export async function measureGraph(page: Page, address: string, task: string): Promise<GraphFigures> {
  const seen: Response[] = []
  page.on('response', (response) => {
    if (/\/api\/v1\/runs\/[^/]+\/(graph|tasks\/[^/]+\/evidence)/.test(response.url())) seen.push(response)
  })
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(address)
  await page.locator('canvas.sigma-mouse').waitFor({ state: 'attached' })
  const firstPicture = await page.evaluate<number>(FRAME_AFTER)
  const panFrames = await panned(page)
  const times = await selected(page, task)
  return { firstPicture, panFrames, ...times, answers: await weighed(seen) }
}

async function panned(page: Page): Promise<number> {
  const box = await page.locator('canvas.sigma-mouse').boundingBox()
  if (box === null) throw new Error('The drawing has no place on the page.')
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 3 }
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  await page.evaluate(COUNT_FRAMES)
  const until = Date.now() + PAN_MS
  for (let step = 0; Date.now() < until; step++) {
    await page.mouse.move(middle.x + 120 * Math.sin(step / 9), middle.y + 60 * Math.cos(step / 7))
  }
  const frames = await page.evaluate<number>(FRAMES_A_SECOND)
  await page.mouse.up()
  return frames
}

async function selected(page: Page, task: string): Promise<Pick<GraphFigures, 'selection' | 'evidence'>> {
  const search = page.getByRole('combobox')
  await search.fill(task)
  await page.getByRole('option', { name: task }).first().waitFor()
  const start = await page.evaluate<number>('performance.now()')
  const isSelected = page.evaluate<number>(onceThere('button[aria-label="Close, back to the whole graph"]'))
  const hasEvidence = page.evaluate<number>(onceThere('[data-prediction]'))
  await search.press('Enter')
  const selection = (await isSelected) - start
  const late = new Promise<null>((done) => setTimeout(done, PATIENCE_MS, null))
  const evidence = await Promise.race([hasEvidence, late])
  return { selection, evidence: evidence === null ? null : evidence - start }
}

async function weighed(seen: readonly Response[]): Promise<GraphFigures['answers']> {
  const answers: GraphFigures['answers'] = []
  for (const response of seen) {
    const body = await response.body().catch(() => null)
    if (body === null) continue
    const { responseBodySize } = await response.request().sizes()
    const { pathname, search } = new URL(response.url())
    const sent = responseBodySize > 0 ? responseBodySize / 1000 : null
    answers.push({
      path: pathname.replace(/^\/api\/v1\/runs\/[^/]+/, '') + search,
      kilobytes: body.length / 1000,
      sent,
    })
  }
  return answers
}
