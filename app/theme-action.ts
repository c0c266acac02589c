'use server'
/* Keeps the chosen theme in a cookie, so that the next page comes in it from the server. */
import { cookies } from 'next/headers'
import { readTheme, THEME_COOKIE, type Theme } from '@/components/shell/theme'

export async function saveTheme(theme: Theme): Promise<void> {
  const jar = await cookies()
  const chosen = readTheme(theme)
  if (chosen === 'system') jar.delete(THEME_COOKIE)
  else jar.set(THEME_COOKIE, chosen, { path: '/', maxAge: 31_536_000, sameSite: 'lax' })
}
