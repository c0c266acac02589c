'use client'
/* Owns the head of the server's pages. */
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { RunMenu } from './run-menu'
import { SERVER_TABS } from './run-tabs'

export function ServerHead({ tools }: { tools: ReactNode }) {
  const path = usePathname()
  return (
    <header className="head">
      <RunMenu name="This server" />
      <nav className="tabs" aria-label="Pages of this server">
        {SERVER_TABS.map((tab) => (
          <Link key={tab.path} href={tab.path} aria-current={tab.path === path ? 'page' : undefined}>
            {tab.word}
          </Link>
        ))}
      </nav>
      <div className="head-tools">{tools}</div>
    </header>
  )
}
