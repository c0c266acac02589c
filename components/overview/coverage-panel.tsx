/* Owns how much was ever observed: environments, tasks, patterns. */
import { Sparkline } from '@/components/charts/sparkline'
import { Num } from '@/components/ui/num'
import { Panel } from '@/components/ui/panel'
import type { Overview } from '@/lib/contract/overview'
import { formatFixed } from '@/lib/view/format'
import { coverageTwin } from '@/lib/view/overview-twins'

const ROWS = ['environments', 'tasks', 'patterns'] as const

export function CoveragePanel({ run, overview, span = 3 }: { run: string; overview: Overview; span?: 3 | 4 }) {
  const { coverage } = overview
  return (
    <Panel
      span={span}
      title="Coverage"
      sub="ever observed"
      twin={coverageTwin(overview)}
      api={`/runs/${run}/overview`}
      twinHeight={148}
    >
      <div className="figure">
        <b>{formatFixed(coverage.tasks.seen, 0)}</b>
        <span
          className="explained"
          title="Tasks, environments and interaction patterns with at least one trusted group, those of a history that the run began with too. Patterns are fixed with the task set."
        >
          of {formatFixed(coverage.tasks.all, 0)}
          {coverage.newTasks !== null && `, +${formatFixed(coverage.newTasks, 0)} in 10 batches`}
        </span>
      </div>
      <table className="tbl mt-[6px]" aria-label="Coverage">
        <tbody>
          {ROWS.map((name) => (
            <tr key={name}>
              <td className="h-[38px]! capitalize">{name}</td>
              <td className="h-[38px]!">
                {coverage[name].series.length > 0 && (
                  <Sparkline
                    values={coverage[name].series}
                    low={0}
                    high={coverage[name].all}
                    width={60}
                    height={22}
                    label={`${name} seen by batch`}
                  />
                )}
              </td>
              <td className="num h-[38px]!">
                <Num kind="count" value={coverage[name].seen} of={coverage[name].all} absent="not yet" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
