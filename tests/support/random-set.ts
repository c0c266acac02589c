/** Seeded task sets and groups for the engine's tests. Pure: the seed is the only input. */

import type { EngineTaskSet } from '@/lib/engine/task-set'
import type { GroupFacts } from '@/lib/engine/trace'

export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const VERBS = ['get', 'search', 'create', 'update', 'delete', 'calculate', 'send', 'frobnicate']
const NOUNS = ['order', 'user', 'flight', 'file', 'ticket']
const WORDS = ['refund', 'late', 'two', 'bags', 'paris', 'window', 'seat', 'invoice', 'gold', 'member']

export function randomSet(sizes: { environments: number; tasks: number; seed: number; tools?: number }): EngineTaskSet {
  const random = randomOf(sizes.seed)
  const below = (n: number) => Math.floor(random() * n)
  const environments = Array.from({ length: sizes.environments }, (_, e) => {
    const names = new Set<string>()
    for (let t = 0; t < (sizes.tools ?? 5); t++)
      names.add(`${VERBS[below(VERBS.length)]}_${NOUNS[below(NOUNS.length)]}`)
    return {
      key: `environment ${e}`,
      tools: [...names].map((name) => ({ name, role: null, description: null, parameters: [] })),
      state: ['orders', 'users'],
      verifier: { kind: null, checks: ['total', 'status'] },
      rewardRange: null,
      horizon: null,
      maxConcurrent: null,
    }
  })
  const tasks = Array.from({ length: sizes.tasks }, (_, i) => {
    const environment = below(sizes.environments)
    const tools = environments[environment]!.tools
    return {
      environment,
      key: `task ${i}`,
      text: random() < 0.3 ? null : Array.from({ length: 6 }, () => WORDS[below(WORDS.length)]).join(' '),
      tools: Array.from({ length: below(7) }, () => tools[below(tools.length)]!.name),
      state: random() < 0.5 ? ['orders'] : ['orders', 'users'],
      checks: random() < 0.5 ? ['total'] : [],
    }
  })
  return { environments, tasks }
}

export interface Step {
  /** policy versions to advance before the group */
  advance: number
  group: GroupFacts
}

/** Groups of 1 to 8 rollouts; `graded`: share of groups with rewards between the ends. */
export function randomSteps(set: EngineTaskSet, count: number, seed: number, graded = 0): Step[] {
  const random = randomOf(seed)
  const below = (n: number) => Math.floor(random() * n)
  let policyVersion = 0
  return Array.from({ length: count }, (_, lease) => {
    const advance = random() < 0.3 ? 1 + below(2) : 0
    policyVersion += advance
    const trusted = 1 + below(8)
    const chance = random() < 0.4 ? below(2) : random()
    const between = random() < graded
    const rewards = Array.from({ length: trusted }, () => (between ? random() : random() < chance ? 1 : 0))
    return {
      advance,
      group: {
        task: below(set.tasks.length),
        policyVersion,
        lease,
        trusted,
        sum: rewards.reduce((a, b) => a + b, 0),
        sumSquares: rewards.reduce((a, b) => a + b * b, 0),
        low: rewards.filter((r) => r === 0).length,
        high: rewards.filter((r) => r === 1).length,
      },
    }
  })
}
