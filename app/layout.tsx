/* The frame of every page: theme from the cookie, Inter from this folder, the rail, and what is listened for everywhere. */
import type { Metadata } from 'next'
import localFont from 'next/font/local'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { FocusAfterMove } from '@/components/shell/focus-after-move'
import { KeysDialog } from '@/components/shell/keys-dialog'
import { QueryProvider } from '@/components/shell/query-provider'
import { Rail } from '@/components/shell/rail'
import { SearchDialog } from '@/components/shell/search-dialog'
import { TabKeys } from '@/components/shell/tab-keys'
import { DENSITY_COOKIE, lookAttributes, readDensity, readTheme, THEME_COOKIE } from '@/components/shell/theme'
import { ToastProvider } from '@/components/ui/toast'
import './globals.css'

const inter = localFont({
  src: [{ path: './fonts/inter-latin.woff2', weight: '100 900', style: 'normal' }],
  variable: '--font-inter',
  display: 'swap',
})

export const metadata: Metadata = {
  title: { default: 'Runs · EnvSched', template: '%s · EnvSched' },
  description: 'Chooses which tasks of which environments an agent trains on next, and says why.',
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const jar = await cookies()
  const look = { theme: readTheme(jar.get(THEME_COOKIE)?.value), density: readDensity(jar.get(DENSITY_COOKIE)?.value) }
  return (
    <html lang="en" className={inter.variable} {...lookAttributes(look)}>
      <body>
        <QueryProvider>
          <ToastProvider>
            <div className="shell">
              <Rail />
              <div className="min-w-0">{children}</div>
            </div>
            <SearchDialog />
            <FocusAfterMove />
            <KeysDialog />
            <TabKeys />
          </ToastProvider>
        </QueryProvider>
      </body>
    </html>
  )
}
