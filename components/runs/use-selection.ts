'use client'
/* Owns the selected runs, in the address: a step of the browser's history each. Invariant: at most as many as can be compared; an id that
   no run has is kept out of what is shown, not out of the address of a run that is only slow to load. */
import { useAddress } from '@/components/shell/use-address'
import { useKeys } from '@/components/ui/use-keys'
import { MOST_COMPARED } from '@/lib/contract/comparison'
import type { RunSummary } from '@/lib/contract/run'

export interface Selection {
  runs: RunSummary[]
  has: (id: string) => boolean
  full: boolean
  toggle: (id: string) => void
  set: (ids: readonly string[]) => void
}

export function useSelection(all: readonly RunSummary[]): Selection {
  const [address, write] = useAddress()
  const named = [...new Set((address.get('select') ?? '').split(','))]
  const runs = named.flatMap((id) => all.find((run) => run.id === id) ?? []).slice(0, MOST_COMPARED)
  const ids = runs.map(({ id }) => id)
  const full = ids.length >= MOST_COMPARED
  const set = (next: readonly string[]) => write({ select: next.join(',') }, true)
  const toggle = (id: string) => {
    if (ids.includes(id)) set(ids.filter((one) => one !== id))
    else if (!full) set([...ids, id])
  }
  const clear = () => {
    if (ids.length === 0) return false
    set([])
    return true
  }
  useKeys({
    // the row that j and k stand on, or where the focus is
    x: () => {
      const row = document.activeElement?.closest('tr[data-row]')
      if (!(row instanceof HTMLElement) || row.dataset.row === undefined) return false
      toggle(row.dataset.row)
      return true
    },
    Escape: clear,
  })
  return { runs, has: (id) => ids.includes(id), full, toggle, set }
}
