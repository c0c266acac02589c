'use client'
/* Owns what has come in by environment: rollouts as bars, or tasks where the files hold no rollouts. */
import { useQuery } from '@tanstack/react-query'
import { EnvTag } from '@/components/ui/env-tag'
import { Panel } from '@/components/ui/panel'
import { NothingState, NotYetState } from '@/components/ui/panel-state'
import { taskSetQuery } from '@/lib/client/task-set'
import type { ImportJob } from '@/lib/contract/import-job'
import { formatFixed } from '@/lib/view/format'
import { environmentsTwin } from '@/lib/view/import-skips'
import { isOver } from '@/lib/view/import-verdict'

const HEIGHT = 250

export function EnvironmentsPanel({ job }: { job: ImportJob }) {
  const set = useQuery({ ...taskSetQuery(job.taskSet ?? ''), enabled: job.taskSet !== null })
  const known = new Map((set.data?.environmentList ?? []).map((one) => [one.key, one]))
  const found = job.source?.environments ?? []
  const inRollouts = found.some(({ rollouts }) => rollouts > 0)
  const of = (one: (typeof found)[number]) => (inRollouts ? one.rollouts : one.tasks)
  const most = Math.max(1, ...found.map(of))
  return (
    <Panel
      span={4}
      title="What has come in"
      sub={`${inRollouts ? 'rollouts' : 'tasks'} by environment`}
      twin={environmentsTwin(job)}
      api={`/imports/${job.id}`}
      twinHeight={HEIGHT}
    >
      {found.length === 0 ? (
        isOver(job) ? (
          <NothingState height={HEIGHT} title="Nothing came in">
            No row of these files named a task.
          </NothingState>
        ) : (
          <NotYetState height={HEIGHT}>Environments appear as rows name them.</NotYetState>
        )
      ) : (
        <section
          className="relative overflow-auto"
          style={{ minHeight: HEIGHT, maxHeight: 420 }}
          aria-label="What has come in, by environment"
        >
          <table className="tbl table-fixed" data-rows="small" aria-label="What has come in">
            <tbody>
              {[...found]
                .sort((a, b) => of(b) - of(a))
                .map((one) => {
                  const environment = known.get(one.key)
                  return (
                    <tr key={one.key}>
                      <td className="w-[42%] truncate" title={one.key}>
                        {environment !== undefined && <EnvTag environment={environment} />}{' '}
                        <span className="text-12 text-ink-2">{one.key}</span>
                      </td>
                      <td>
                        <div className="bar h-2!" data-ref style={{ width: `${(of(one) / most) * 100}%` }} />
                      </td>
                      <td className="num w-16">{formatFixed(of(one), 0)}</td>
                    </tr>
                  )
                })}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}
