/* Owns the three themes and how a saved word is read. Invariant: anything unknown is the system's choice. */

export type Theme = 'light' | 'dark' | 'system'

/** The server action that keeps the choice in a cookie. */
export type SaveTheme = (theme: Theme) => Promise<void>

export const THEME_COOKIE = 'envsched-theme'

export function readTheme(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system'
}
