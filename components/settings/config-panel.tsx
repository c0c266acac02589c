'use client'
/* Owns the configuration that the run was started with, read only, and copying it. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { tabPath } from '@/components/shell/run-tabs'
import { CopyButton } from '@/components/ui/copy-button'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { runQuery } from '@/lib/client/run'
import { configJson, configRows } from '@/lib/view/run-config-rows'

const HEIGHT = 330

export function ConfigPanel({ run }: { run: string }) {
  const { data, error, refetch } = useQuery(runQuery(run))
  return (
    <Panel
      title="Configuration"
      sub="as the run was started"
      span={6}
      acts={data !== undefined && <CopyButton text={configJson(data)} label="Copy as JSON" />}
      api={`/runs/${run}`}
    >
      {data === undefined && error === null && <LoadingState height={HEIGHT} />}
      {data === undefined && error !== null && (
        <ErrorState title="Could not load the configuration" height={HEIGHT} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data !== undefined && (
        <>
          <table className="tbl" data-rows="small" aria-label="Configuration of the run" style={{ minHeight: HEIGHT }}>
            <tbody>
              {configRows(data).map(({ name, value }) => (
                <tr key={name}>
                  <th scope="row" className="!align-middle !border-line-1 w-[130px]">
                    {name}
                  </th>
                  <td className="wrap-anywhere">{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="mt-2 text-12 text-ink-3">
            Weights, uniform share, group sizes and quotas in force are on{' '}
            <Link href={tabPath(run, 'steering')}>Steering</Link>.
          </p>
        </>
      )}
    </Panel>
  )
}
