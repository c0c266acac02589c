'use client'
/* Owns the left rail: the runs by informative share, the way to start one, search and keys. Asks for the runs itself. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { Icon } from '@/components/ui/icon'
import { StatusDot } from '@/components/ui/status-dot'
import { runsQuery } from '@/lib/client/run'
import { formatFixed, formatTime } from '@/lib/view/format'
import { startsOfNamesakes } from '@/lib/view/run-order'
import { BrandMark } from './brand-mark'
import { openKeys, openSearch } from './overlays'
import { runOfPath, tabPath } from './run-tabs'
import { useRunsInOrder } from './use-runs-in-order'

const MEASURE = 'Informative share: of trusted groups in all slots, last 10 batches'

export function Rail() {
  const path = usePathname()
  const { data } = useQuery(runsQuery())
  const current = runOfPath(path)
  const runs = useRunsInOrder(data?.items ?? [])
  const starts = startsOfNamesakes(runs)
  return (
    <nav className="rail" aria-label="Runs">
      <Link href="/" className="rail-brand" aria-label="EnvSched, all runs">
        <BrandMark />
        <span>EnvSched</span>
      </Link>
      <div className="rail-label" title={MEASURE}>
        {data?.total === 0 ? 'No runs yet' : 'Runs, by informative share'}
      </div>
      <div className="rail-list">
        {runs.map((run) => (
          <Link
            key={run.id}
            href={tabPath(run.id, 'overview')}
            className="rail-item"
            aria-current={run.id === current ? 'page' : undefined}
            title={`${run.name}, ${run.status}, started ${formatTime(run.createdAt, 'n/a')} UTC. ${MEASURE}`}
          >
            <StatusDot status={run.status} />
            <span>
              {run.name}
              {starts.has(run.id) && <small> {starts.get(run.id)}</small>}
            </span>
            <small>
              {run.informativeShare === null ? 'n/a' : `${formatFixed(run.informativeShare * 100, 0)}\u00a0%`}
            </small>
          </Link>
        ))}
      </div>
      <Link
        href="/"
        className="rail-item"
        aria-current={path === '/' ? 'page' : undefined}
        title="Start or import a run"
      >
        <Icon name="plus" />
        <span>Start or import a run</span>
      </Link>
      <button type="button" className="rail-item" onClick={openSearch} title="Search">
        <Icon name="search" />
        <span>Search</span>
        <small>
          <kbd>Ctrl K</kbd>
        </small>
      </button>
      <button type="button" className="rail-item" onClick={openKeys} title="Keys">
        <Icon name="info" />
        <span>Keys</span>
        <small>
          <kbd>?</kbd>
        </small>
      </button>
    </nav>
  )
}
