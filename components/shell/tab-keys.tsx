'use client'
/* Owns `g` then a letter. Renders nothing. */
import { usePathname, useRouter } from 'next/navigation'
import { useKeys } from '@/components/ui/use-keys'
import { RUN_TABS, runOfPath, SERVER_TABS, tabPath } from './run-tabs'

export function TabKeys() {
  const router = useRouter()
  const run = runOfPath(usePathname())
  const tabs =
    run === null ? [] : RUN_TABS.map((tab) => [`g ${tab.key}`, () => router.push(tabPath(run, tab.segment))] as const)
  const pages = SERVER_TABS.map((tab) => [`g ${tab.key}`, () => router.push(tab.path)] as const)
  useKeys(Object.fromEntries([...pages, ...tabs]))
  return null
}
