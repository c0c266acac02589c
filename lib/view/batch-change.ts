/**
 * Owns the words and the Steering link of the smallest change that would let a left-out task in.
 * Must never know how a draft is kept; it only writes its form (steering-draft.ts).
 * Invariant: "none found" and "none, wait" are answers; a change is shown as told, never rounded across its threshold.
 */
import type { LeftOutView } from '@/lib/contract/batch'
import type { OverrideInput } from '@/lib/contract/steering'
import { formatFixed } from './format'
import { encodeDraft } from './steering-draft'

const WORDS: Record<string, string> = {
  exploitation: 'exploitation',
  coverage: 'coverage',
  similarity: 'similarity penalty',
  recency: 'recency',
  headroom: 'headroom',
  cost: 'cost weight',
  uniform_share: 'uniform share',
  upper_quota: 'upper quota',
}

const PER_CENT = new Set(['uniform_share', 'upper_quota'])

export interface ChangeWords {
  /** "similarity penalty ≤ 0.27" or "none, wait" */
  needed: string
  /** "now 0.35" or "free in batch 67" */
  now: string
  /** the draft that would do it, or null */
  draft: string | null
  /** what an answer without a change means */
  hint?: string
}

const NONE_FOUND =
  'Each weight, share and quota was moved alone, within its limits, and the batch chosen again: none of them let this task in. Several together, or a pin, may.'

function value(setting: string, at: number): string {
  if (!PER_CENT.has(setting)) return formatFixed(at, 2)
  const percent = at * 100
  return `${formatFixed(percent, Math.abs(percent - Math.round(percent)) < 1e-9 ? 0 : 1)}\u00a0%`
}

// A threshold rounded to nearest could fall on the wrong side of itself: round towards the side that still works.
function safe(setting: string, needed: number, up: boolean): number {
  const unit = PER_CENT.has(setting) ? 1000 : 100
  return (up ? Math.ceil(needed * unit - 1e-6) : Math.floor(needed * unit + 1e-6)) / unit
}

type Change = NonNullable<LeftOutView['change']>

function override(row: LeftOutView, change: Change, needed: number | null): OverrideInput | null {
  switch (change.setting) {
    case 'exploitation':
    case 'coverage':
    case 'similarity':
    case 'recency':
    case 'headroom':
    case 'cost':
      return needed === null ? null : { kind: 'weight', target: change.setting, value: needed }
    case 'uniform_share':
      return needed === null ? null : { kind: 'uniform_share', value: needed }
    case 'upper_quota': {
      const environment = change.environment ?? row.task.environment
      return needed === null ? null : { kind: 'quota', target: environment.id, lower: 0, upper: needed }
    }
    case 'pause':
      return { kind: 'resume', target: (change.environment ?? row.task.environment).id }
    default:
      return null
  }
}

/** `lowers`: lower quotas in force by environment id, so that a changed upper quota keeps its lower one. */
export function changeWords(row: LeftOutView, batch: number, lowers: ReadonlyMap<string, number>): ChangeWords {
  const { change, wait } = row
  if (change === null) {
    if (wait !== null) return { needed: 'none, wait', now: `free in batch ${batch + wait}`, draft: null }
    if (row.rule === 'leased') return { needed: 'none, wait', now: 'until its lease ends', draft: null }
    return { needed: 'none found', now: 'no single change', draft: null, hint: NONE_FOUND }
  }
  if (change.setting === 'ban') return { needed: 'lift its ban', now: 'banned', draft: null }
  if (change.setting === 'pause') {
    const code = (change.environment ?? row.task.environment).code
    return { needed: `resume ${code}`, now: 'paused', draft: encodeOne(override(row, change, null)) }
  }
  const word = WORDS[change.setting] ?? change.setting.replaceAll('_', ' ')
  if (change.needed === null) return { needed: word, now: 'any other value', draft: null }
  const up = change.now === null || change.needed > change.now
  const needed = safe(change.setting, change.needed, up)
  const input = override(row, change, needed)
  if (input?.kind === 'quota') input.lower = Math.min(lowers.get(input.target) ?? 0, input.upper)
  return {
    needed: `${word} ${up ? '≥' : '≤'}\u00a0${value(change.setting, needed)}`,
    now: change.now === null ? 'not set now' : `now ${value(change.setting, change.now)}`,
    draft: encodeOne(input),
  }
}

function encodeOne(input: OverrideInput | null): string | null {
  return input === null ? null : encodeDraft([input])
}
