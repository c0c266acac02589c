'use client'
/* Owns the list of keys, opened with "?", and the switch that turns single keys off. */
import { useEffect, useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { Kbd } from '@/components/ui/kbd'
import { Switch } from '@/components/ui/switch'
import { setSingleKeys, singleKeysOn, useKeys } from '@/components/ui/use-keys'
import { KEYS_EVENT } from './overlays'
import { RUN_TABS, SERVER_TABS } from './run-tabs'

type Line = { what: string; keys: string[]; sequence?: boolean }

const COLUMNS: Line[][] = [
  [
    { what: 'search everything', keys: ['Ctrl', 'K'] },
    { what: 'this list', keys: ['?'] },
    { what: 'close, then clear selection', keys: ['Esc'] },
    { what: 'panel under the pointer as table', keys: ['t'] },
  ],
  RUN_TABS.map((tab) => ({ what: tab.word, keys: ['g', tab.key], sequence: true })),
  SERVER_TABS.map((tab) => ({ what: tab.word, keys: ['g', tab.key], sequence: true })),
  [
    { what: 'next, previous row', keys: ['j', 'k'] },
    { what: 'open the row', keys: ['o'] },
    { what: 'previous, next batch', keys: ['[', ']'] },
    { what: 'newest batch, live', keys: ['l'] },
  ],
]

export function KeysDialog() {
  const [open, setOpen] = useState(false)
  const [on, setOn] = useState(true)
  useKeys({ '?': () => setOpen(true) })
  useEffect(() => {
    const show = () => setOpen(true)
    window.addEventListener(KEYS_EVENT, show)
    return () => window.removeEventListener(KEYS_EVENT, show)
  }, [])
  useEffect(() => {
    if (open === true) setOn(singleKeysOn())
  }, [open])
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title="Keys" wide>
      <div className="mt-2 grid grid-cols-4 gap-x-9 max-md:grid-cols-2 max-sm:grid-cols-1">
        {COLUMNS.map((column) => (
          <div key={column[0]?.what}>
            {column.map((line) => (
              <div key={line.what} className="flex min-h-[26px] items-center justify-between gap-2">
                <span className="text-ink-2">{line.what}</span>
                <Kbd keys={line.keys} sequence={line.sequence} />
              </div>
            ))}
          </div>
        ))}
      </div>
      <div className="mt-3 border-t border-line-1 pt-2 text-ink-2">
        <Switch
          label="Single keys"
          checked={on}
          onChange={(next) => {
            setSingleKeys(next)
            setOn(next)
          }}
        />
      </div>
    </Dialog>
  )
}
