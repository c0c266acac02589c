'use client'
/* Owns the list of keys, opened with "?", and the switch that turns single keys off. */
import { useEffect, useState } from 'react'
import { Dialog } from '@/components/ui/dialog'
import { Switch } from '@/components/ui/switch'
import { setSingleKeys, singleKeysOn, useKeys } from '@/components/ui/use-keys'
import { KeyColumns } from './key-columns'
import { KEYS_EVENT } from './overlays'

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
      <div className="mt-2">
        <KeyColumns />
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
