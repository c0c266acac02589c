'use client'
/* Owns the choice of light, dark or the system's. The server writes it into <html> from the cookie, so that nothing flashes. */
import { useState } from 'react'
import { Icon, type IconName } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import type { SaveTheme, Theme } from './theme'

const THEMES: { value: Theme; label: string; icon: IconName }[] = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'system', label: 'As the system', icon: 'system' },
]

export function ThemeMenu({ theme, save }: { theme: Theme; save: SaveTheme }) {
  const [chosen, setChosen] = useState(theme)
  const choose = (next: Theme) => {
    setChosen(next)
    // at once, and for the next page by the cookie
    if (next === 'system') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.dataset.theme = next
    void save(next)
  }
  return (
    <Popover
      label="Theme"
      trigger={<Icon name={THEMES.find((option) => option.value === chosen)?.icon ?? 'sun'} />}
      triggerClass="panel-act"
      className="menu"
      align="end"
    >
      {(close) =>
        THEMES.map((option) => (
          <button
            key={option.value}
            type="button"
            aria-current={option.value === chosen}
            onClick={() => {
              choose(option.value)
              close()
            }}
          >
            <Icon name={option.icon} />
            {option.label}
          </button>
        ))
      }
    </Popover>
  )
}
