import { describe, expect, it } from 'vitest'
import { planOf } from '@/lib/cli/bench-page'
import { PAGE_SIZES, worldOf } from '@/lib/cli/bench-page-seed'
import { LIMITS, type PageReport, pageTable } from '@/lib/cli/bench-page-table'
import type { PageFigures } from '@/lib/cli/bench-page-visit'

const PAGE: PageFigures = {
  page: 'Batch',
  path: '/runs/r/batch',
  error: null,
  kilobytes: { document: 5, script: 200, style: 20, font: 50, data: 0, total: 275 },
  answerMs: 0,
  layoutShift: 0.02,
  acts: [
    { name: 'sort', ms: 0 },
    { name: 'scrub', ms: null },
    { name: 'preview of a draft', ms: 208, answered: 1001 },
    { name: 'tab change', ms: 200, answered: null },
  ],
  tickKilobytes: null,
  ticks: 0,
  hiddenCalls: 0,
  rows: 0,
  thrown: [],
}

const reportOf = (pages: PageFigures[]): PageReport => ({
  machine: { cores: 2, model: null, node: 'v20', loadBefore: 0, loadAfter: null },
  limits: LIMITS,
  sizes: [{ size: 'small', tasks: 1200, batches: 60, coldMs: 0, pages }],
})

describe('bench-page', () => {
  it('measures both sizes and all pages when nothing else is asked for', () => {
    expect(planOf([])).toEqual({ sizes: PAGE_SIZES, pages: null, keep: null, port: null, out: null })
    expect(planOf(['--help'])).toBeNull()
    expect(() => planOf(['--sizes', 'huge'])).toThrow('huge')
    expect(() => planOf(['--port', '0'])).toThrow('--port')
    expect(() => planOf(['--port', 'x'])).toThrow('--port')
  })

  it('seeds the sizes that it says', () => {
    for (const size of PAGE_SIZES) expect(worldOf(size).tasks.length).toBe(size.tasks)
    expect(PAGE_SIZES.map(({ tasks, batches }) => [tasks, batches])).toEqual([
      [1200, 60],
      [10_000, 1000],
    ])
  })

  it('says miss only over the limit, and tells nothing measured from nothing there', () => {
    const table = pageTable(reportOf([PAGE]))
    expect(table).toContain('| Batch | 200 | 0 | 275 | 0.00 | 0.020 | n/a | 0 | 0 | 0 |')
    expect(table).toContain('| Batch | sort | <16 |  |')
    expect(table).toContain('| Batch | preview of a draft | 208 miss | 1.00 miss |')
    expect(table).toContain('| Batch | tab change | 200 |  |')
    expect(table).not.toContain('scrub')
    expect(table.match(/miss/g)).toHaveLength(2)
  })

  it('keeps a page that failed as a row', () => {
    expect(pageTable(reportOf([{ ...PAGE, error: 'answered 404' }]))).toContain('| Batch | error: answered 404 |')
    expect(pageTable(reportOf([]))).toContain('1,200 tasks, 60 batches')
  })
})
