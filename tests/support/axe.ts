/**
 * Runs axe on a page as it stands. Owns: which rules count (WCAG 2.0 to 2.2, A and AA) and how a finding is written.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

interface Finding {
  id: string
  impact: string | null
  nodes: { target: unknown[]; failureSummary?: string }[]
}

/** What axe holds against the page, one line a rule and element; empty is clean. */
export async function axeFindings(page: Page): Promise<string[]> {
  // the content policy forbids added scripts, not what the driver evaluates
  await page.evaluate(source)
  const found = await page.evaluate(async (tags) => {
    const { axe } = window as unknown as {
      axe: { run: (where: Document, how: object) => Promise<{ violations: unknown }> }
    }
    const { violations } = await axe.run(document, {
      runOnly: { type: 'tag', values: tags },
      resultTypes: ['violations'],
    })
    return JSON.parse(JSON.stringify(violations)) as unknown
  }, TAGS)
  return (found as Finding[]).flatMap(({ id, nodes }) =>
    nodes.map(
      (node) =>
        `${id}: ${node.target.join(' ')}: ${(node.failureSummary ?? '').split('\n').slice(1).join('; ').trim()}`,
    ),
  )
}
