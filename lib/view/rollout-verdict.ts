/**
 * Owns the Rollouts page's answer: how a group came out and what separates solved from failed.
 * Invariant: computed from what was reported; says so where the trainer sent too little to tell.
 */
import type { RolloutDetail, RolloutGroup, Sibling } from '@/lib/contract/rollout-group'
import { countWord, formatCount, formatFixed, formatNumber } from './format'
import { type GroupSplit, groupSplit, trustedOf } from './group-split'

const LONGEST = 140
const NAMED = 2
/** stands for the words of a rollout that was cut off before it could have any */
const CUT = ''

export interface RolloutVerdict {
  answer: string
  context: string
}

export function rolloutVerdict({ in: group, siblings }: Pick<RolloutDetail, 'in' | 'siblings'>): RolloutVerdict {
  const whole = siblings.length >= group.result.returned
  const parts: (string | null)[] = [outcome(group, siblings)]
  const split = groupSplit(siblings)
  if (isOver(group) && whole) parts.push(splitSentence(split))
  const context = [failures(siblings, split), untrusted(siblings), variance(group)]
  return { answer: joined(parts), context: joined(context) }
}

const isOver = ({ result }: RolloutGroup) => result.state !== 'out' && result.state !== 'partial'
const joined = (parts: (string | null)[]) => parts.filter((part) => part !== null && part !== '').join(' ')

/** "4 of 8 solve airline_27 at policy 60." */
function outcome(group: RolloutGroup, siblings: readonly Sibling[]): string {
  const fills = trustedOf(siblings).map(({ fill }) => fill)
  const where = `${group.task.key} at policy ${formatFixed(group.policyVersion, 0)}`
  const out = group.result.squares.filter(({ state }) => state === 'out').length
  const later = out > 0 ? ` so far; ${formatFixed(out, 0)} ${out === 1 ? 'is' : 'are'} still out.` : '.'
  if (fills.length === 0) return `No rollout of ${where} has a usable reward${later}`
  if (fills.some((fill) => fill > 0 && fill < 1)) {
    const range = `${formatNumber('reward', Math.min(...fills), '')} to ${formatNumber('reward', Math.max(...fills), '')}`
    return fills.length === 1
      ? `One rollout of ${where} has ${formatNumber('reward', fills[0], '')} of its reward${later}`
      : `${countWord(fills.length, true)} rollouts of ${where} have ${range} of the reward${later}`
  }
  const solved = fills.filter((fill) => fill === 1).length
  if (fills.length === 1) return `The one counted rollout of ${where} ${solved === 1 ? 'solves it' : 'fails'}${later}`
  if (solved === 0) return `None of ${formatFixed(fills.length, 0)} solve ${where}${later}`
  if (solved === fills.length) return `All ${formatFixed(solved, 0)} solve ${where}${later}`
  return `${formatFixed(solved, 0)} of ${formatFixed(fills.length, 0)} ${solved === 1 ? 'solves' : 'solve'} ${where}${later}`
}

function splitSentence(split: GroupSplit): string | null {
  switch (split.kind) {
    case 'alike':
      return null
    case 'absent':
      return 'The trainer sent no reward components, so what separates them is not known here.'
    case 'reward':
      return 'The only reward component is the reward itself: it does not say what separates them.'
    case 'splits':
      return split.names.length === 1
        ? `The check that splits the group is “${split.names[0] ?? ''}”.`
        : `The checks that split the group are ${listed(split.names)}.`
    case 'closest':
      return `No reward component separates them; “${split.name}” comes closest, in ${split.right} of ${split.of}.`
    case 'goes':
      return `What goes with it most closely is the check “${split.name}”, correlation ${formatNumber('score', split.correlation, '')}.`
    case 'none':
      return 'No reward component separates them.'
  }
}

function listed(names: readonly string[]): string {
  const rest = names.length - NAMED
  const quoted = names.map((name) => `“${name}”`)
  if (rest > 0) return `${quoted.slice(0, NAMED).join(', ')} and ${formatFixed(rest, 0)} more`
  return quoted.join(' and ')
}

/** What a failed rollout says of itself: the message of the splitting check, else of the first check that it failed. */
function lastWords(sibling: Sibling, split: GroupSplit): string | null {
  const named = split.kind === 'splits' ? split.names : []
  const failed = sibling.rewardComponents.filter(({ value, message }) => value !== null && value <= 0 && message)
  const one = failed.find(({ name }) => named.includes(name)) ?? failed[0]
  if (one?.message !== undefined) return `${one.name}: ${one.message}`
  if (sibling.status === 'truncated') return CUT
  return sibling.error
}

function failures(siblings: readonly Sibling[], split: GroupSplit): string | null {
  const failed = trustedOf(siblings).filter(({ fill }) => fill === 0)
  const tally = new Map<string, number>()
  for (const sibling of failed) {
    const words = lastWords(sibling, split)
    if (words !== null) tally.set(words, (tally.get(words) ?? 0) + 1)
  }
  const [most] = [...tally].sort((a, b) => b[1] - a[1])
  if (most === undefined) return null
  const cut = most[0] === CUT
  const words = shortened(most[0])
  if (failed.length === 1) return cut ? 'The failure was truncated.' : `The failure says ${words}.`
  if (most[1] === 1) return `The ${formatFixed(failed.length, 0)} failures differ in what they say.`
  const all = failed.length === 2 ? 'Both' : `All ${formatFixed(failed.length, 0)}`
  const who =
    most[1] === failed.length
      ? `${all} failures`
      : `${formatFixed(most[1], 0)} of the ${formatFixed(failed.length, 0)} failures`
  return cut ? `${who} were truncated.` : `${who} say ${words}.`
}

function shortened(words: string): string {
  const line = words.replaceAll(/\s+/g, ' ').trim().replace(/\.+$/, '')
  return `"${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}"`
}

function untrusted(siblings: readonly Sibling[]): string | null {
  const count = siblings.filter(({ trusted }) => !trusted).length
  return count === 0 ? null : `${formatCount(count, 'rollout is', 'rollouts are')} not counted.`
}

function variance(group: RolloutGroup): string | null {
  const { variance: realised } = group.result
  if (realised === null) return null
  const predicted = group.predictedVariance
  return predicted === null
    ? `Realised variance ${formatFixed(realised, 3)}.`
    : `Predicted variance ${formatFixed(predicted, 3)}, realised ${formatFixed(realised, 3)}.`
}
