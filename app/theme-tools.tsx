/* The menu of looks (theme, density) with its cookies and its action, for the head of every page. */
import { cookies } from 'next/headers'
import { DENSITY_COOKIE, readDensity, readTheme, THEME_COOKIE } from '@/components/shell/theme'
import { ThemeMenu } from '@/components/shell/theme-menu'
import { saveLook } from './theme-action'

export async function ThemeTools() {
  const jar = await cookies()
  const look = { theme: readTheme(jar.get(THEME_COOKIE)?.value), density: readDensity(jar.get(DENSITY_COOKIE)?.value) }
  return <ThemeMenu look={look} save={saveLook} />
}
