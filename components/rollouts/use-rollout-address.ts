'use client'
/* Owns what of the Rollouts page stands in the address: the filters, the open rollout, the group that the list begins with.
   Invariant: what the address says in error is as if it were not said; each change of it can be undone with Back, except
   typing and moving with keys. */
import { useMemo } from 'react'
import { useAddress } from '@/components/shell/use-address'
import type { RolloutSearch } from '@/lib/client/rollout'
import { searchOf } from '@/lib/view/rollout-search'

const NAMES = {
  q: 'q',
  environment: 'env',
  task: 'task',
  policy: 'policy',
  status: 'status',
  reward: 'reward',
} as const

export interface RolloutAddress {
  search: RolloutSearch
  /** server id of the open rollout */
  rollout: string | null
  /** server id of a group to begin with */
  group: string | null
  filter: (patch: Partial<RolloutSearch>, step?: boolean) => void
  open: (rollout: string | null, step?: boolean) => void
  clear: () => void
}

export function useRolloutAddress(): RolloutAddress {
  const [address, write] = useAddress()
  const said = Object.values(NAMES)
    .map((name) => address.get(name) ?? '')
    .join('\n')
  const search = useMemo(() => {
    const [q, environment, task, policy, status, reward] = said.split('\n')
    return searchOf({ q, environment, task, policy, status, reward })
  }, [said])
  const shown = (value: string | null, form: RegExp) => (value !== null && form.test(value) ? value : null)
  return {
    search,
    rollout: shown(address.get('rollout'), /^r\d{1,9}$/),
    group: shown(address.get('group'), /^g\d{1,9}$/),
    filter: (patch, step = true) => {
      const named = Object.entries(patch).map(([name, value]) => [NAMES[name as keyof RolloutSearch], value ?? null])
      write({ ...Object.fromEntries(named), rollout: null, group: null }, step)
    },
    open: (rollout, step = true) => write({ rollout }, step),
    clear: () => write({ q: null, env: null, task: null, policy: null, status: null, reward: null, group: null }, true),
  }
}
