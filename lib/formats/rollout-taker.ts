/**
 * Rollouts of systems whose tasks are only known from their rollouts: places the task, names called and declared tools, declares
 * the reward range of an environment whose rewards leave [0, 1], and hands the rollout to the ladder.
 * Invariant: a rollout that failed outside the policy has no reward. The draft and the ladder bring the rest into the contract.
 */
import { MOST_REWARD } from '@/lib/contract/bounds'
import type { RolloutStatus } from '@/lib/contract/rollout'
import type { TaskInput } from '@/lib/contract/task-set'
import { type Call, calledTools, type Message } from './chat'
import type { Part, RewardLike } from './reward-value'
import type { RolloutLadder } from './rollout-ladder'
import type { TaskSetDraft } from './task-set-draft'

export interface FoundRollout {
  environment: string
  task: string
  /** what is known of the task; taken with its first rollout */
  about?: Omit<TaskInput, 'environment' | 'key'>
  /** kind and checks of its environment's verifier */
  verifier?: { kind?: string | null; checks?: string[] }
  model: string
  version: number | null
  reward: RewardLike
  components?: Part[] | null
  /** "ok" where it is not told */
  status?: RolloutStatus
  error?: string | null
  messages?: Message[]
  /** of the policy; those in `messages` where they are not told */
  calls?: Call[]
  /** assistant messages where they are not told */
  turns?: number | null
  tokens?: number | null
  seconds?: number | null
}

const TOO_LONG = 'an environment or task key longer than 500 characters'

export class RolloutTaker {
  private readonly ranges = new Map<string, [low: number, high: number]>()

  constructor(
    private readonly draft: TaskSetDraft,
    private readonly ladder: RolloutLadder,
  ) {}

  /** Null when taken, else why not. */
  take(found: FoundRollout): string | null {
    const { environment, task, about, verifier, status = 'ok', messages = [], turns = turnsOf(messages) } = found
    if (!this.draft.has(environment, task) && !this.draft.task({ ...about, environment, key: task })) return TOO_LONG
    const calls = found.calls ?? calledTools(messages)
    for (const { name, parameters } of calls) this.draft.tool(environment, name, null, parameters)
    if (verifier !== undefined) this.draft.verifier(environment, verifier.kind ?? null, verifier.checks ?? [])
    const reward = status === 'ok' || status === 'truncated' ? found.reward : null
    if (typeof reward === 'number') this.seen(environment, reward)
    this.ladder.add(
      found.model,
      {
        environment,
        task,
        reward,
        status,
        turns,
        tokens: found.tokens,
        seconds: found.seconds,
        tools: calls.map(({ name }) => name),
        rewardComponents: found.components,
        messages: messages.length > 0 ? messages : null,
        error: found.error,
      },
      found.version,
    )
    return null
  }

  /** After the last rollout: an environment of which nothing is declared counts as [0, 1]. */
  finish(): void {
    for (const [environment, [low, high]] of this.ranges)
      if (low < 0 || high > 1) this.draft.rewardRange(environment, Math.min(0, low), Math.max(1, high))
  }

  private seen(environment: string, reward: number): void {
    if (Math.abs(reward) > MOST_REWARD) return
    const range = this.ranges.get(environment)
    if (range === undefined) this.ranges.set(environment, [reward, reward])
    else {
      range[0] = Math.min(range[0], reward)
      range[1] = Math.max(range[1], reward)
    }
  }
}

function turnsOf(messages: readonly Message[]): number | null {
  const { length } = messages.filter(({ role }) => role === 'assistant')
  return messages.length === 0 ? null : length
}
