/**
 * `npm run bench:page`: what every page costs and how quick it is, in a browser, on a run of 1,200 tasks x 60 batches and one of
 * 10,000 tasks x 1,000 batches. Owns: flags, the order, the table and the JSON. The pages are those of the tabs that the product
 * shows, so that none is left out; one that answers with an error is a row that says so.
 * Invariant: the exit code tells errors, not misses; figures are of this machine and its other work.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from '@playwright/test'
import { CommandError } from './arguments'
import { benchMain } from './bench-main'
import { newVisit, openBrowser } from './bench-page-browser'
import { PAGE_SIZES, type PageSize, type Seeded, seedRuns } from './bench-page-seed'
import { LIMITS, type PageReport, pageTable, type SizeReport } from './bench-page-table'
import { type Target, visit } from './bench-page-visit'
import { cookieOf } from './bench-serve-pages'
import { openBenchServer } from './bench-serve-server'

const HELP = `npm run bench:page -- [flags]
Needs npm run build and a Chromium. Seeds a run in this process, starts a server on it, opens every page.

  --sizes LIST   small,large (both: 1,200 tasks x 60 batches, 10,000 x 1,000; seeding the large one takes minutes)
  --pages LIST   only these tabs, by the last part of their path (all; "runs" is the first page)
  --keep DIR     keep the seeded data there and use it again
  --port N       instead of a free one
  --out FILE     the figures as JSON, too
`

interface Plan {
  sizes: PageSize[]
  pages: string[] | null
  keep: string | null
  port: number | null
  out: string | null
}

/** Null when help was asked for. @throws RangeError or TypeError with one sentence about the flag. */
export function planOf(args: string[]): Plan | null {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: PAGE_SIZES.map(({ name }) => name).join() },
      pages: { type: 'string' },
      keep: { type: 'string' },
      port: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return null
  const sizes = values.sizes.split(',').map((name) => {
    const size = PAGE_SIZES.find((one) => one.name === name)
    if (size === undefined) throw new RangeError(`no size is called ${name}; there are small and large`)
    return size
  })
  const port = values.port === undefined ? null : Number(values.port)
  if (port !== null && !(Number.isInteger(port) && port > 0)) throw new RangeError(`--port must be a port, not ${port}`)
  return { sizes, pages: values.pages?.split(',') ?? null, keep: values.keep ?? null, port, out: values.out ?? null }
}

/** The folder of a seeded run, made now where it is not there yet. */
async function seeded(
  folder: string,
  size: PageSize,
  progress: (line: string) => void,
): Promise<Seeded & { data: string }> {
  const data = path.join(folder, size.name)
  const mark = path.join(data, 'seeded.json')
  if (existsSync(mark)) return { data, ...(JSON.parse(readFileSync(mark, 'utf8')) as Seeded) }
  rmSync(data, { recursive: true, force: true })
  mkdirSync(data, { recursive: true })
  const runs = await seedRuns(data, size, progress)
  writeFileSync(mark, JSON.stringify(runs))
  return { data, ...runs }
}

/** Links of a nav: what the tabs of the product are. */
async function tabsOf(browser: Browser, address: string, cookie: string, at: string, nav: string): Promise<Target[]> {
  const { page, context } = await newVisit(browser, address, cookie)
  try {
    await page.goto(`${address}${at}`)
    await page.locator(`${nav} a`).first().waitFor()
    const tabs = await page
      .locator(`${nav} a`)
      .evaluateAll((all) => all.map((one) => [one.textContent ?? '', one.getAttribute('href') ?? '']))
    return tabs.map(([word = '', href = '']) => ({ page: word, path: href, nav }))
  } finally {
    await context.close()
  }
}

const RUN_NAV = 'nav[aria-label="Pages of this run"]'
const SERVER_NAV = 'nav[aria-label="Pages of this server"]'

async function targetsOf(
  browser: Browser,
  address: string,
  cookie: string,
  { run, steered }: Seeded,
): Promise<Target[]> {
  const ofRun = await tabsOf(browser, address, cookie, `/runs/${run}/overview`, RUN_NAV)
  const ofServer = await tabsOf(browser, address, cookie, '/', SERVER_NAV)
  const more: Target[] = [
    { page: 'Batch, an early one', path: `/runs/${run}/batch?batch=5`, nav: RUN_NAV },
    { page: 'One task', path: `/runs/${run}/tasks/t1`, nav: RUN_NAV },
  ]
  if (steered !== null)
    more.push({ page: 'Steering, chosen by EnvSched', path: `/runs/${steered}/steering`, nav: RUN_NAV })
  // tabs that lead to the same page are one page
  const seen = new Set<string>()
  return [...ofRun, ...more, ...ofServer].filter(({ path: at }) => !seen.has(at) && seen.add(at))
}

const lastPart = (at: string) => (at === '/' ? 'runs' : (at.split('?')[0]?.split('/').at(-1) ?? ''))

async function measure(
  plan: Plan,
  size: PageSize,
  folder: string,
  progress: (line: string) => void,
): Promise<SizeReport> {
  const { data, ...runs } = await seeded(folder, size, progress)
  const { run } = runs
  progress(`${size.name}: starting a server`)
  const server = await openBenchServer(plan.port, data)
  const browser = await openBrowser()
  try {
    const started = performance.now()
    const authorization = `Bearer ${server.token}`
    const first = await fetch(`${server.address}/api/v1/runs/${run}/tasks?limit=1`, { headers: { authorization } })
    if (!first.ok) throw new CommandError(`The seeded run answers ${first.status}: seed it anew, without --keep.`)
    await first.arrayBuffer()
    const coldMs = performance.now() - started
    const cookie = await cookieOf(server.address, server.token)
    const targets = await targetsOf(browser, server.address, cookie, runs)
    const pages: SizeReport['pages'] = []
    for (const target of targets) {
      if (plan.pages !== null && !plan.pages.includes(lastPart(target.path))) continue
      progress(`${size.name}: ${target.page}`)
      pages.push(await visit(browser, server.address, cookie, target))
    }
    return { size: size.name, tasks: size.tasks, batches: size.batches, coldMs, pages }
  } finally {
    await browser.close()
    await server.end()
  }
}

async function report(plan: Plan, progress: (line: string) => void): Promise<PageReport> {
  const folder = plan.keep ?? mkdtempSync(path.join(tmpdir(), 'envsched-pages-'))
  const loadBefore = loadavg()[0] ?? null
  try {
    const sizes: SizeReport[] = []
    for (const size of plan.sizes) sizes.push(await measure(plan, size, folder, progress))
    const machine = { cores: availableParallelism(), model: cpus()[0]?.model ?? null, node: process.version }
    return { machine: { ...machine, loadBefore, loadAfter: loadavg()[0] ?? null }, limits: LIMITS, sizes }
  } finally {
    if (plan.keep === null) rmSync(folder, { recursive: true, force: true })
  }
}

const main = () =>
  benchMain(HELP, planOf, async (plan, progress) => {
    const made = await report(plan, progress)
    progress('')
    process.stdout.write(pageTable(made))
    if (plan.out !== null) writeFileSync(plan.out, `${JSON.stringify(made, null, 1)}\n`)
    return made.sizes.some(({ pages }) => pages.some(({ error }) => error !== null)) ? 1 : 0
  })

if (process.argv[1]?.endsWith('bench-page.ts') === true) process.exitCode = await main()
