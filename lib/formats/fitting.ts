/**
 * Values of foreign files brought into the contract's limits, so that no single row makes a whole source unfit.
 * Invariant: a number that does not fit becomes null, or its own text where it is a reward; never another number.
 */
import { MOST_WHOLE } from '@/lib/contract/bounds'
import type { RolloutInput } from '@/lib/contract/rollout'

const MOST_SECONDS = 1e11
const ERROR_LIMIT = 20_000
const NAME_LIMIT = 500
const REWARD_LIMIT = 200
const TOOLS_LIMIT = 20_000

/** A name that can be stored and reads back as it was written. */
export function storable(name: string): string {
  return name.replaceAll(/\0|\p{Surrogate}/gu, '\u{fffd}')
}

export function fitting<T extends Omit<RolloutInput, 'id' | 'policyVersion'>>(rollout: T): T {
  return {
    ...rollout,
    reward: fitReward(rollout.reward),
    ...(rollout.outcome === undefined ? {} : { outcome: fitReward(rollout.outcome) }),
    turns: fitWhole(rollout.turns),
    tokens: fitWhole(rollout.tokens),
    seconds: fitSeconds(rollout.seconds),
    tools: rollout.tools?.slice(0, TOOLS_LIMIT).map((tool) => storable(tool.slice(0, NAME_LIMIT))) ?? null,
    rewardComponents:
      rollout.rewardComponents
        ?.slice(0, TOOLS_LIMIT)
        .map(({ value, ...part }) => ({ ...part, value: finite(value) })) ?? null,
    error: rollout.error?.slice(0, ERROR_LIMIT) ?? null,
  }
}

export function fitWhole(value: number | null | undefined): number | null {
  return value !== null && value !== undefined && Number.isInteger(value) && value >= 0 && value <= MOST_WHOLE
    ? value
    : null
}

function fitReward(value: RolloutInput['reward']): RolloutInput['reward'] {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? value.slice(0, REWARD_LIMIT) : value
}

function fitSeconds(value: number | null | undefined): number | null {
  return value !== null && value !== undefined && value >= 0 && value <= MOST_SECONDS ? value : null
}

function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null
}
