/**
 * Owns the words for the rules that keep a task out: which one it was, and where it comes from.
 * Invariant: every rule that is not a score is named, with the setting it belongs to or the word that it is none.
 */
import type { LeftOutView } from '@/lib/contract/batch'

type Rule = LeftOutView['rule']

/** After "it was kept out by": "the cap on one environment". */
export const RULE_NAMES: Record<Rule, string> = {
  score: 'its score',
  similarity: 'the similarity penalty',
  recency: 'the recency penalty',
  cost: 'the cost weight',
  upper_quota: 'the upper quota of its environment',
  lower_quota: 'lower quotas that other environments were owed',
  banned: 'its ban',
  paused: 'the pause of its environment',
  leased: 'its lease: its rollouts were still out',
  waiting: 'its wait after three groups without a trusted rollout',
  concurrency: 'maxConcurrent of its environment',
  environment_cap: "the scheduler's cap on picks of one environment in a batch",
}

const ORIGINS: Partial<Record<Rule, string>> = {
  similarity: 'The similarity penalty of Steering takes off what it is like earlier picks of the batch',
  recency: 'The recency weight of Steering takes off what was picked a short while ago',
  cost: 'The cost weight of Steering divides by what its rollouts cost',
  upper_quota: 'An upper quota set in Steering or in the configuration of the run',
  lower_quota: 'Lower quotas set in Steering or in the configuration of the run come before scores',
  concurrency:
    'maxConcurrent, given to the environment by its task set: at most so many of its picks are out at once. No setting of Steering moves it.',
  environment_cap:
    "The scheduler's own cap: an environment gets at most twice an even share of a batch, at least 2 picks, or what its lower quota owes it, so that one wrong belief cannot take a whole batch. It is no setting.",
}

/** Where the rule comes from, said on hover. */
export function ruleOrigin(rule: Rule): string | undefined {
  return ORIGINS[rule]
}
