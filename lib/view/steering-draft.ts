/**
 * Owns the draft: a list of changes with at most one a setting, and its short form in the address.
 * Must never know how it is edited or previewed. Invariants: a change equal to what is in force is no change;
 * decode(encode(draft)) is the draft; what cannot be read is left out, never guessed.
 */
import { type OverrideInput, overrideInput, type Steering } from '@/lib/contract/steering'

export type WeightName = Steering['weights'][number]['name']

const near = (a: number, b: number) => Math.abs(a - b) < 1e-9

/** What a change sets: two changes with one key cannot stand in one draft. */
export function changeKey(change: OverrideInput): string {
  switch (change.kind) {
    case 'uniform_share':
    case 'group_sizing':
      return change.kind
    case 'pause':
    case 'resume':
      return `pause:${change.target}`
    case 'pin':
    case 'ban':
      return `task:${change.target}`
    default:
      return `${change.kind}:${change.target}`
  }
}

/** The draft with `change` in place of what it set before. */
export function withChange(draft: readonly OverrideInput[], change: OverrideInput): OverrideInput[] {
  const key = changeKey(change)
  const at = draft.findIndex((other) => changeKey(other) === key)
  if (at === -1) return [...draft, change]
  return draft.map((other, i) => (i === at ? change : other))
}

export function withoutKey(draft: readonly OverrideInput[], key: string): OverrideInput[] {
  return draft.filter((change) => changeKey(change) !== key)
}

/** Whether the change would set what is in force already. */
export function isNoChange(change: OverrideInput, now: Steering): boolean {
  switch (change.kind) {
    case 'weight': {
      const weight = now.weights.find(({ name }) => name === change.target)
      return weight !== undefined && near(weight.now, change.value)
    }
    case 'uniform_share':
      return near(now.uniformShare, change.value)
    case 'group_sizing':
      return now.groupSizing === change.value
    case 'quota': {
      const quota = now.quotas.find(({ environment }) => environment.id === change.target)
      return quota !== undefined && near(quota.lower, change.lower) && near(quota.upper, change.upper)
    }
    case 'lift':
      return now.inForce.every(({ id }) => id !== change.target)
    default:
      return false
  }
}

export type SettingChange = Extract<OverrideInput, { kind: 'weight' | 'uniform_share' | 'group_sizing' | 'quota' }>

export function isSetting(change: OverrideInput): change is SettingChange {
  return ['weight', 'uniform_share', 'group_sizing', 'quota'].includes(change.kind)
}

/** Batches that the draft's settings are given: one end for all of them; null = until lifted. */
export function settingsEnd(draft: readonly OverrideInput[]): number | null {
  return draft.find(isSetting)?.batches ?? null
}

/** The draft with one end for all its settings; pins, bans, boosts and pauses keep their own. */
export function withSettingsEnd(draft: readonly OverrideInput[], batches: number | null): OverrideInput[] {
  return draft.map((change) => (isSetting(change) ? { ...change, batches: batches ?? undefined } : change))
}

/** Leaves out what is in force already, and what a person set back. */
export function pruneDraft(draft: readonly OverrideInput[], now: Steering): OverrideInput[] {
  return draft.filter((change) => !isNoChange(change, now))
}

const number = (value: number) => String(Number(value.toPrecision(12)))
const batches = (value: number | null) => (value === null ? '' : String(value))

/** Only where it was given an end, so that plain drafts stay short. */
const end = (value: number | null | undefined) => (value === null || value === undefined ? '' : `:${value}`)

function encodeChange(change: OverrideInput): string {
  switch (change.kind) {
    case 'weight':
      return `weight:${change.target}:${number(change.value)}${end(change.batches)}`
    case 'uniform_share':
      return `uniform:${number(change.value)}${end(change.batches)}`
    case 'group_sizing':
      return `sizing:${change.value}${end(change.batches)}`
    case 'quota':
      return `quota:${change.target}:${number(change.lower)}:${number(change.upper)}${end(change.batches)}`
    case 'pause':
      return `pause:${change.target}:${change.mode}:${batches(change.batches)}`
    case 'boost':
      return `boost:${change.target}:${number(change.factor)}:${batches(change.batches)}`
    case 'pin':
    case 'ban':
      return `${change.kind}:${change.target}:${batches(change.batches)}`
    default:
      return `${change.kind}:${change.target}`
  }
}

/** "weight:coverage:1.1,pause:e8:hold:10": readable, and short enough for an address. */
export function encodeDraft(draft: readonly OverrideInput[]): string {
  return draft.map(encodeChange).join(',')
}

const asNumber = (text: string | undefined) => (text === undefined || text === '' ? null : Number(text))
/** Left out where there is none: a setting without an end is written as it always was. */
const asEnd = (text: string | undefined) => asNumber(text) ?? undefined

function decodeChange(text: string): unknown {
  const [kind, target, third, fourth, fifth] = text.split(':')
  switch (kind) {
    case 'weight':
      return { kind, target, value: asNumber(third), batches: asEnd(fourth) }
    case 'uniform':
      return { kind: 'uniform_share', value: asNumber(target), batches: asEnd(third) }
    case 'sizing':
      return { kind: 'group_sizing', value: target, batches: asEnd(third) }
    case 'quota':
      return { kind, target, lower: asNumber(third), upper: asNumber(fourth), batches: asEnd(fifth) }
    case 'pause':
      return { kind, target, mode: third === '' ? undefined : third, batches: asNumber(fourth) }
    case 'boost':
      return { kind, target, factor: asNumber(third), batches: asNumber(fourth) }
    case 'pin':
    case 'ban':
      return { kind, target, batches: asNumber(third) }
    default:
      return { kind, target }
  }
}

export function decodeDraft(text: string): OverrideInput[] {
  let draft: OverrideInput[] = []
  for (const part of text.split(',')) {
    const parsed = overrideInput.safeParse(decodeChange(part))
    if (parsed.success) draft = withChange(draft, parsed.data)
  }
  return draft
}

/** What links from other pages ask for: ?pause=e3, ?boost=t17, ?ban=t17, ?pin=t17, with a plain default each. */
export function changesAsked(ask: { get: (name: string) => string | null }): OverrideInput[] {
  const asked: OverrideInput[] = []
  const target = (name: string) => ask.get(name) ?? ''
  if (target('pause') !== '') asked.push({ kind: 'pause', target: target('pause'), mode: 'hold', batches: 10 })
  if (target('boost') !== '') asked.push({ kind: 'boost', target: target('boost'), factor: 2, batches: 10 })
  if (target('ban') !== '') asked.push({ kind: 'ban', target: target('ban'), batches: null })
  if (target('pin') !== '') asked.push({ kind: 'pin', target: target('pin'), batches: 10 })
  return asked
}
