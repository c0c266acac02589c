/* The theme menu with its cookie and its action, for the head of every page. */
import { cookies } from 'next/headers'
import { readTheme, THEME_COOKIE } from '@/components/shell/theme'
import { ThemeMenu } from '@/components/shell/theme-menu'
import { saveTheme } from './theme-action'

export async function ThemeTools() {
  const theme = readTheme((await cookies()).get(THEME_COOKIE)?.value)
  return <ThemeMenu theme={theme} save={saveTheme} />
}
