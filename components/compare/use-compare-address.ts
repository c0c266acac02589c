'use client'
/* Owns what of Compare stands in the address: the runs, the axis, how far, which two configurations. Changing the runs is a step of the
   browser's history. */
import { useMemo } from 'react'
import { useAddress } from '@/components/shell/use-address'
import { COMPARE_AXES, type CompareAxis, MOST_COMPARED } from '@/lib/contract/comparison'

export type ComparePart = 'end' | 'common'

export interface CompareAddress {
  ids: string[]
  axis: CompareAxis
  part: ComparePart
  of: string | null
  minus: string | null
  add: (id: string) => void
  remove: (id: string) => void
  setAxis: (axis: CompareAxis) => void
  setPart: (part: ComparePart) => void
  setPair: (of: string | null, minus: string | null) => void
}

/** Ids of an address, each once, at most as many as can be compared. */
export function idsIn(text: string | null): string[] {
  return [...new Set((text ?? '').split(',').filter((id) => id !== ''))].slice(0, MOST_COMPARED)
}

export function useCompareAddress(): CompareAddress {
  const [address, write] = useAddress()
  const text = address.get('runs')
  const ids = useMemo(() => idsIn(text), [text])
  const axis = COMPARE_AXES.find((one) => one === address.get('axis')) ?? 'steps'
  return {
    ids,
    axis,
    part: address.get('part') === 'common' ? 'common' : 'end',
    of: address.get('of'),
    minus: address.get('minus'),
    add: (id) => write({ runs: [...ids, id].join(',') }, true),
    remove: (id) => write({ runs: ids.filter((one) => one !== id).join(',') }, true),
    setAxis: (next) => write({ axis: next === 'steps' ? null : next }),
    setPart: (next) => write({ part: next === 'end' ? null : next }),
    setPair: (of, minus) => write({ of, minus }, true),
  }
}
