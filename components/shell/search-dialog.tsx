'use client'
/* Owns the palette over runs, environments, tasks, pages and actions: Ctrl K, arrows, Enter. */
import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useId, useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { Icon, type IconName } from '@/components/ui/icon'
import { type SearchHit, splitHit } from '@/lib/view/search-hits'
import { SEARCH_EVENT } from './overlays'
import { runOfPath } from './run-tabs'
import { useSearchHits } from './use-search-hits'

const ICONS: Record<SearchHit['kind'], IconName> = {
  run: 'play',
  environment: 'environment',
  task: 'graph',
  page: 'right',
  action: 'check',
}

export function SearchDialog() {
  const router = useRouter()
  const run = runOfPath(usePathname())
  const id = useId()
  const [open, setOpen] = useState(false)
  const [leaves, setLeaves] = useState(false)
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const hits = useSearchHits(query, run, open)
  const chosen = hits[Math.min(at, hits.length - 1)]

  useEffect(() => {
    const show = () => {
      setQuery('')
      setAt(0)
      setLeaves(false)
      setOpen(true)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || (!event.ctrlKey && !event.metaKey)) return
      event.preventDefault()
      show()
    }
    window.addEventListener(SEARCH_EVENT, show)
    window.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener(SEARCH_EVENT, show)
      window.removeEventListener('keydown', onKey)
    }
  }, [])

  const go = (hit: SearchHit | undefined) => {
    if (hit === undefined) return
    setLeaves(hit.href !== null)
    setOpen(false)
    if (hit.act !== undefined) hit.act()
    if (hit.href !== null) router.push(hit.href)
  }

  return (
    <Dialog open={open} onClose={() => setOpen(false)} title="Search" hideTitle flush leaves={leaves}>
      <div className="flex items-center gap-2 border-b border-line-1 px-3">
        <Icon name="search" className="text-ink-3" />
        <input
          className="h-[38px] flex-1 bg-transparent outline-none placeholder:text-ink-3"
          placeholder={run === null ? 'Runs, pages and actions' : 'Runs, environments, tasks, pages and actions'}
          role="combobox"
          aria-label="Search"
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.id}`}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setAt(0)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              // the focus returns to what was pressed before: the key must not press it again
              event.preventDefault()
              go(chosen)
            }
            if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
            event.preventDefault()
            const by = event.key === 'ArrowDown' ? 1 : -1
            setAt(Math.min(hits.length - 1, Math.max(0, Math.min(at, hits.length - 1) + by)))
          }}
        />
      </div>
      <div role="listbox" id={`${id}-list`} aria-label="Results" tabIndex={-1}>
        {hits.map((hit) => {
          const [before, match, after] = splitHit(hit.text, query)
          return (
            <div
              key={hit.id}
              id={`${id}-${hit.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={hit === chosen}
              className="palette-item"
              onPointerDown={(event) => {
                event.preventDefault()
                go(hit)
              }}
            >
              <Icon name={ICONS[hit.kind]} className="text-ink-2" />
              <span className="truncate">
                {before}
                <b>{match}</b>
                {after}
              </span>
              <span className="text-12 text-ink-3">{hit.note}</span>
            </div>
          )
        })}
        {hits.length === 0 && <p className="px-3 py-3 text-ink-2">Nothing matches "{query}". Use fewer letters.</p>}
      </div>
      <div className="flex gap-[14px] border-t border-line-1 px-3 py-[6px] text-11 text-ink-3">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
      </div>
    </Dialog>
  )
}
