import { describe, expect, it } from 'vitest'
import type { OverrideChange } from '@/lib/engine/log-entry'
import type { SchedulerView } from '@/lib/engine/view'
import type { Catalog } from '@/lib/service/catalog'
import { beforeAndAfter } from '@/lib/service/override-change'
import { changeSentence } from '@/lib/service/read-overrides'

const catalog = { environments: [{ code: 'AIR' }] } as unknown as Catalog
const view = { environments: [{ quota: { lower: 0, upper: 1 } }] } as unknown as SchedulerView

function sentence(lower: number, upper: number): string {
  const change: OverrideChange = { kind: 'quota', environment: 0, lower, upper }
  const { before, after } = beforeAndAfter(change, view)
  return changeSentence(catalog, change, before, after)
}

describe('a changed quota in words', () => {
  it('names the bounds that move, with their old and new share', () => {
    expect(sentence(0, 0.08)).toBe('AIR upper quota 100 to 8 %')
    expect(sentence(0.05, 1)).toBe('AIR lower quota 0 to 5 %')
    expect(sentence(0.05, 0.125)).toBe('AIR lower quota 0 to 5 %, upper 100 to 12.5 %')
  })

  it('reads entries that were stored before bounds were named', () => {
    const change: OverrideChange = { kind: 'quota', environment: 0, lower: 0, upper: 0.08 }
    expect(changeSentence(catalog, change, '0 % to 100 %', '0 % to 8 %')).toBe('AIR quota 0 % to 100 %, now 0 % to 8 %')
  })
})
