'use client'
/* Owns the head of the server's pages. */
import Link from 'next/link'
import type { ReactNode } from 'react'
import { RunMenu } from './run-menu'

export function ServerHead({ tools }: { tools: ReactNode }) {
  return (
    <header className="head">
      <RunMenu name="This server" />
      <nav className="tabs" aria-label="Pages of this server">
        <Link href="/" aria-current="page">
          Runs
        </Link>
      </nav>
      <div className="head-tools">{tools}</div>
    </header>
  )
}
