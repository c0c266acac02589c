'use client'
/* Owns the actions of the palette: what can be done from anywhere. Each is a thing that a button or a menu does, too. */
import { useQuery } from '@tanstack/react-query'
import { useToast } from '@/components/ui/toast'
import { runQuery } from '@/lib/client/run'
import type { SearchHit } from '@/lib/view/search-hits'
import { askPause, changeLook, openKeys } from './overlays'
import { tabPath } from './run-tabs'
import { DENSITIES, THEMES } from './theme-menu'
import { useMayOperate } from './use-may-operate'

type Action = Omit<SearchHit, 'kind' | 'note'>

export function useSearchActions(run: string | null): SearchHit[] {
  const status = useQuery({ ...runQuery(run ?? ''), enabled: run !== null }).data?.status
  const mayOperate = useMayOperate()
  const toast = useToast()
  const over = status === undefined || status === 'finished' || status === 'failed'
  const copyLink = () =>
    navigator.clipboard.writeText(window.location.href).then(
      () => toast({ tone: 'ok', text: 'The link to this view is copied.' }),
      () => toast({ tone: 'bad', text: 'The browser refused to copy. Take the link from the address bar.' }),
    )
  const actions: Action[] = [
    { id: 'copy-link', text: 'Copy the link to this view', href: null, act: () => void copyLink() },
    { id: 'keys', text: 'Keys', href: null, act: openKeys },
  ]
  if (run !== null) {
    if (mayOperate === true && !over) {
      actions.push({
        id: 'pause',
        text: status === 'paused' ? 'Resume the run' : 'Pause the run',
        href: null,
        act: askPause,
      })
    }
    actions.push(
      { id: 'next-batch', text: 'Propose the next batch', href: `${tabPath(run, 'batch')}?batch=next` },
      { id: 'compare', text: 'Compare this run', href: `/compare?runs=${encodeURIComponent(run)}` },
    )
  }
  for (const { value, label } of THEMES) {
    actions.push({ id: `theme-${value}`, text: `Theme: ${label}`, href: null, act: () => changeLook({ theme: value }) })
  }
  for (const { value, label } of DENSITIES) {
    actions.push({ id: `density-${value}`, text: label, href: null, act: () => changeLook({ density: value }) })
  }
  return actions.map((action) => ({ ...action, kind: 'action', note: 'action' }))
}
