/* The server's pages: "This server", its tabs, its strip. */
import type { ReactNode } from 'react'
import { ThemeTools } from '@/app/theme-tools'
import { ServerHead } from '@/components/shell/server-head'
import { ServerStrip } from '@/components/shell/server-strip'

export default function ServerLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <ServerHead tools={<ThemeTools />} />
      <ServerStrip />
      <main className="page">{children}</main>
    </>
  )
}
