import { describe, expect, it } from 'vitest'
import { planOf } from '@/lib/cli/bench-serve'
import { figuresOf, quantile } from '@/lib/cli/bench-serve-figures'
import { filesOf } from '@/lib/cli/bench-serve-pages'

describe('bench-serve', () => {
  it('measures the load of the issue when nothing else is asked for', () => {
    expect(planOf([])).toMatchObject({ batches: 60, size: 32, groupSize: 8, world: 'small', port: null, json: false })
    expect(planOf(['--help'])).toBeNull()
    expect(() => planOf(['--batches', '0'])).toThrow('--batches')
    expect(() => planOf(['--world', 'moon'])).toThrow('moon')
  })

  it('takes quantiles by nearest rank and keeps a zero', () => {
    const values = Array.from({ length: 100 }, (_, i) => 100 - i)
    expect([quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)]).toEqual([50, 99, 100])
    expect([quantile([0], 0.5), quantile([], 0.5)]).toEqual([0, null])
    expect(figuresOf({ a: [3, 1, 2], none: [] }, 4)).toEqual([
      { name: 'a', count: 3, p50: 2, p99: 3, most: 3, ratio: 0.5 },
    ])
    expect(figuresOf({ a: [1] }, 0)[0]?.ratio).toBeNull()
  })

  it('finds each script, style and font once, in the tags and in the Link header', () => {
    const html =
      '<link rel="stylesheet" href="/a.css"/><link rel="preload" as="script" href="/b.js?x=1&amp;y=2"/>' +
      '<script src="/b.js?x=1&amp;y=2" async=""></script><script>inline()</script>' +
      '<link rel="icon" href="/icon.svg"/><script src="https://elsewhere.example/c.js"></script>'
    expect(filesOf(html, '</inter.woff2>; rel=preload; as="font"; crossorigin=""')).toEqual([
      { path: '/inter.woff2', kind: 'fonts' },
      { path: '/a.css', kind: 'styles' },
      { path: '/b.js?x=1&y=2', kind: 'scripts' },
    ])
  })
})
