'use server'
/* Keeps the chosen theme and density in cookies, so that the next page comes in them from the server. */
import { cookies } from 'next/headers'
import { DENSITY_COOKIE, type Look, readDensity, readTheme, THEME_COOKIE } from '@/components/shell/theme'

export async function saveLook(look: Look): Promise<void> {
  const jar = await cookies()
  const keep = (name: string, value: string, usual: string) => {
    if (value === usual) jar.delete(name)
    else jar.set(name, value, { path: '/', maxAge: 31_536_000, sameSite: 'lax' })
  }
  keep(THEME_COOKIE, readTheme(look.theme), 'system')
  keep(DENSITY_COOKIE, readDensity(look.density), 'normal')
}
