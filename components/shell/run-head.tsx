'use client'
/* Owns the head of a run's pages: its name and its tabs. The task tab remembers the last task that was looked at. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { runQuery } from '@/lib/client/run'
import { rememberTask } from './last-task'
import { RunMenu } from './run-menu'
import { RUN_TABS, tabOfPath, tabPath } from './run-tabs'
import { useTabInView } from './use-tab-in-view'

export function RunHead({ run, tools }: { run: string; tools: ReactNode }) {
  const { data } = useQuery(runQuery(run))
  const path = usePathname()
  const tab = tabOfPath(path)
  useEffect(() => rememberTask(path), [path])
  const tabs = useTabInView(tab)
  return (
    <header className="head">
      <RunMenu name={data?.name ?? run} />
      <nav ref={tabs} className="tabs" aria-label="Pages of this run">
        {RUN_TABS.map((item) => (
          <Link
            key={item.segment}
            href={tabPath(run, item.segment)}
            aria-current={item.segment === tab ? 'page' : undefined}
          >
            {item.word}
          </Link>
        ))}
      </nav>
      <div className="head-tools">{tools}</div>
    </header>
  )
}
