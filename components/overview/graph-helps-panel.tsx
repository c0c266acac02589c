'use client'
/* Owns the Overview's one line on "does the graph help in this run"; all figures stand on the Predictions page. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { tabPath } from '@/components/shell/run-tabs'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { calibrationQuery } from '@/lib/client/run'

const HEIGHT = 44

export function GraphHelpsPanel({ run }: { run: string }) {
  const { data, error, refetch } = useQuery(calibrationQuery(run))
  return (
    <Panel title="Does the graph help?" sub="each group is predicted before it is taken in">
      {data === undefined && error === null && <LoadingState height={HEIGHT} />}
      {data === undefined && error !== null && (
        <ErrorState title="Could not load the predictors" onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data !== undefined && (
        <div style={{ minHeight: HEIGHT }}>
          <p className={data.helps.verdict === 'not_yet' ? 'text-ink-2' : 'font-medium'}>{data.helps.sentence}</p>
          <p className="mt-1 text-12 text-ink-2">
            <Link href={tabPath(run, 'predictions')}>Predictions</Link> shows whether they come true: reliability, error
            over time, cold tasks, learnt weights.
          </p>
        </div>
      )}
    </Panel>
  )
}
