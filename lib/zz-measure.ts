import { chromium } from '@playwright/test'
import { measureGraph } from './cli/bench-page-graph'
const [port, run = '', task = ''] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--enable-unsafe-swiftshader'] })
for (let i = 0; i < 2; i++) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`http://127.0.0.1:${port}/?token=tok`)
  console.log(JSON.stringify(await measureGraph(page, `http://127.0.0.1:${port}/runs/${run}/graph`, task), (_, v) => (typeof v === 'number' ? Math.round(v * 10) / 10 : v), 1))
  await page.screenshot({ path: `/tmp/graph-work/m${port}.png` })
  await page.close()
}
await browser.close()
