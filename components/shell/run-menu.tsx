'use client'
/* Owns the name in the head. On a phone, where there is no rail, it is the menu of runs. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { StatusDot } from '@/components/ui/status-dot'
import { runsQuery } from '@/lib/client/run'
import { startsOfNamesakes } from '@/lib/view/run-order'
import { tabPath } from './run-tabs'
import { useRunsInOrder } from './use-runs-in-order'

export function RunMenu({ name }: { name: string }) {
  const { data } = useQuery(runsQuery())
  const runs = useRunsInOrder(data?.items ?? [])
  const starts = startsOfNamesakes(runs)
  return (
    <h1>
      <span className="head-name" title={name}>
        {name}
      </span>
      <span className="only-phone">
        <Popover label="Other runs" trigger={<Icon name="down" />} triggerClass="panel-act" className="menu">
          {(close) => (
            <>
              <Link href="/" onClick={close}>
                <Icon name="plus" />
                Start or import a run
              </Link>
              {runs.map((run) => (
                <Link key={run.id} href={tabPath(run.id, 'overview')} onClick={close}>
                  <StatusDot status={run.status} />
                  {run.name}
                  {starts.has(run.id) && <small className="text-ink-3">{starts.get(run.id)}</small>}
                </Link>
              ))}
            </>
          )}
        </Popover>
      </span>
    </h1>
  )
}
