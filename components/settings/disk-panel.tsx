'use client'
/* Owns what the run takes on disk by kind: one bar, one row a kind, the sum. */
import { useQuery } from '@tanstack/react-query'
import { Key } from '@/components/ui/key'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { Tooltip } from '@/components/ui/tooltip'
import { diskQuery } from '@/lib/client/settings'
import type { DiskKind, DiskUse } from '@/lib/contract/disk'
import { amountOf, formatBytes } from '@/lib/view/bytes'
import { diskTwin } from '@/lib/view/settings-twin'
import { percentOf } from '@/lib/view/settings-verdict'
import { KIND_WORDS, kindDetail } from '@/lib/view/settings-words'

const HEIGHT = 214

const INKS: Record<DiskKind, string> = {
  text: 'var(--text-1)',
  rollouts: 'var(--text-2)',
  predictions: 'var(--text-3)',
  graph: 'var(--line-control)',
  history: 'var(--line-2)',
}

function Amount({ bytes }: { bytes: number }) {
  const { figure, unit } = amountOf(bytes, 'n/a')
  return (
    <>
      {figure} <span className="unit">{unit}</span>
    </>
  )
}

function DiskTable({ disk }: { disk: DiskUse }) {
  const said = disk.parts.map(({ kind, bytes }) => `${KIND_WORDS[kind]} ${formatBytes(bytes, 'n/a')}`).join(', ')
  return (
    <div style={{ minHeight: HEIGHT }}>
      <div className="flex h-3 gap-px" role="img" aria-label={said}>
        {disk.parts.map(({ kind, bytes }) => (
          <i
            key={kind}
            className="block"
            style={{ width: `${disk.bytes > 0 ? (bytes / disk.bytes) * 100 : 20}%`, background: INKS[kind] }}
          />
        ))}
      </div>
      <table className="tbl mt-1" data-rows="tight" aria-label="Disk use by kind">
        <tbody>
          {disk.parts.map(({ kind, bytes }) => (
            <tr key={kind}>
              <td>
                <Key colour={INKS[kind]}>
                  <span className="text-13 text-ink-1">{KIND_WORDS[kind]}</span>
                </Key>
              </td>
              <td className="hide-phone text-12 text-ink-2">{kindDetail(kind, disk)}</td>
              <td className="num">
                <Amount bytes={bytes} />
              </td>
              <td className="num w-[64px] text-ink-2">
                {percentOf(bytes, disk.bytes) ?? 'n/a'}
                <span className="unit"> %</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-12 text-ink-3">
        <Tooltip
          className="explained"
          content="Texts and blobs as they are stored, each number as 8 bytes, summed over the run's rows. Added up as rows come, looked at every ten seconds at most. Indexes and free pages of the database are only in the server's figure."
        >
          Sums of rows
        </Tooltip>
        ; the database of all runs takes {formatBytes(disk.server.used, 'n/a')}
        {disk.server.freeInside !== null && disk.server.freeInside > 0
          ? `, and ${formatBytes(disk.server.freeInside, 'n/a')} are free inside its file.`
          : '.'}
      </p>
    </div>
  )
}

export function DiskPanel({ run }: { run: string }) {
  const { data, error, refetch } = useQuery(diskQuery(run))
  return (
    <Panel
      title="Disk"
      sub={data === undefined ? 'of this run' : `of this run, ${formatBytes(data.bytes, 'n/a')}`}
      span={6}
      twin={data === undefined ? undefined : diskTwin(data)}
      twinHeight={HEIGHT}
      api={`/runs/${run}/disk`}
    >
      {data === undefined && error === null && <LoadingState height={HEIGHT} />}
      {data === undefined && error !== null && (
        <ErrorState title="Could not add up the disk" height={HEIGHT} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data !== undefined && <DiskTable disk={data} />}
    </Panel>
  )
}
