/* Owns the looks a person may choose: theme and density, how a saved word is read, and how it is put on the page at once.
   Invariant: anything unknown is the usual choice. */

export type Theme = 'light' | 'dark' | 'system'
export type Density = 'compact' | 'normal' | 'comfortable'
export interface Look {
  theme: Theme
  density: Density
}

/** The server action that keeps the choice in cookies. */
export type SaveLook = (look: Look) => Promise<void>

export const THEME_COOKIE = 'envsched-theme'
export const DENSITY_COOKIE = 'envsched-density'

export function readTheme(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}

export function readDensity(value: string | undefined): Density {
  return value === 'compact' || value === 'comfortable' ? value : 'normal'
}

/** The attributes of <html>; undefined leaves one out. */
export function lookAttributes(look: Look): { 'data-theme': string | undefined; 'data-density': string | undefined } {
  return {
    'data-theme': look.theme === 'system' ? undefined : look.theme,
    'data-density': look.density === 'normal' ? undefined : look.density,
  }
}

export function showLook(look: Look): void {
  for (const [name, value] of Object.entries(lookAttributes(look))) {
    if (value === undefined) document.documentElement.removeAttribute(name)
    else document.documentElement.setAttribute(name, value)
  }
}
