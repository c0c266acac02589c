'use client'
/* Owns the choice of light, dark or the system's, and of the height of rows. The server writes both into <html> from cookies, so
   that nothing flashes. The palette chooses by the same signal. */
import { useEffect, useRef, useState } from 'react'
import { Icon, type IconName } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { LOOK_EVENT } from './overlays'
import { type Density, type Look, type SaveLook, showLook, type Theme } from './theme'

export const THEMES: { value: Theme; label: string; icon: IconName }[] = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'system', label: 'As the system', icon: 'system' },
]
export const DENSITIES: { value: Density; label: string }[] = [
  { value: 'compact', label: 'Compact rows' },
  { value: 'normal', label: 'Normal rows' },
  { value: 'comfortable', label: 'Comfortable rows' },
]

export function ThemeMenu({ look, save }: { look: Look; save: SaveLook }) {
  const [chosen, setChosen] = useState(look)
  const choose = (part: Partial<Look>) => {
    const next = { ...chosen, ...part }
    setChosen(next)
    // at once, and for the next page by the cookie
    showLook(next)
    void save(next)
  }
  const latest = useRef(choose)
  useEffect(() => {
    latest.current = choose
  })
  useEffect(() => {
    const onLook = (event: Event) => {
      if (event instanceof CustomEvent) latest.current(event.detail as Partial<Look>)
    }
    window.addEventListener(LOOK_EVENT, onLook)
    return () => window.removeEventListener(LOOK_EVENT, onLook)
  }, [])
  return (
    <Popover
      label="Theme and density"
      trigger={<Icon name={THEMES.find((option) => option.value === chosen.theme)?.icon ?? 'sun'} />}
      triggerClass="panel-act"
      className="menu"
      align="end"
    >
      {(close) => (
        <>
          {THEMES.map((option) => (
            <button
              key={option.value}
              type="button"
              aria-current={option.value === chosen.theme}
              onClick={() => {
                choose({ theme: option.value })
                close()
              }}
            >
              <Icon name={option.icon} />
              {option.label}
            </button>
          ))}
          <hr className="my-1 border-line-1" />
          {DENSITIES.map((option) => (
            <button
              key={option.value}
              type="button"
              aria-current={option.value === chosen.density}
              onClick={() => {
                choose({ density: option.value })
                close()
              }}
            >
              <Icon name={option.value === chosen.density ? 'tick' : 'table'} />
              {option.label}
            </button>
          ))}
        </>
      )}
    </Popover>
  )
}
