'use client'
/* Owns the runners-up: what kept each out and the smallest change that would let it in, which opens as a draft in Steering. */
import Link from 'next/link'
import { EnvTag } from '@/components/ui/env-tag'
import { Panel } from '@/components/ui/panel'
import { ZeroState } from '@/components/ui/panel-state'
import { batchApi } from '@/lib/client/batch'
import type { LeftOutView } from '@/lib/contract/batch'
import { changeWords } from '@/lib/view/batch-change'
import { leftOutTwin } from '@/lib/view/batch-twin'
import type { AnyBatch } from '@/lib/view/batch-verdict'
import { ruleOrigin } from '@/lib/view/rule-words'
import { askedLink } from '@/lib/view/steering-asked'

function Change({ run, row, batch }: { run: string; row: LeftOutView; batch: AnyBatch }) {
  const lowers = new Map(batch.quotas.map(({ environment, lower }) => [environment.id, lower]))
  const words = changeWords(row, batch.index, lowers)
  const verified = `Verified for batch ${batch.index}: chosen again with this change alone, the task came in.`
  return (
    <>
      {words.draft === null ? (
        <span className="text-12 text-ink-2" title={row.change === null ? words.hint : verified}>
          {words.needed}
        </span>
      ) : (
        <Link
          className="text-12 font-medium max-sm:inline-block max-sm:py-1"
          title={`${verified} Steering previews it for the next batch and says whether the task enters that one.`}
          href={askedLink(run, words.draft, row.task.id, batch.index)}
        >
          {words.needed}
        </Link>
      )}
      <span className="block text-12 text-ink-3" title={words.hint}>
        {words.now}
      </span>
    </>
  )
}

export function LeftOutPanel({ run, batch }: { run: string; batch: AnyBatch }) {
  const rows = batch.leftOut
  return (
    <Panel
      title="Left out, closest first"
      twin={leftOutTwin(rows, batch.index)}
      api={batchApi(run, batch)}
      twinHeight={320}
      className="pb-[10px]"
    >
      {rows.length === 0 ? (
        <ZeroState title="left out">Every eligible task was picked.</ZeroState>
      ) : (
        <table className="tbl table-fixed" data-rows="two" aria-label="Left out, closest first">
          <thead>
            <tr>
              <th scope="col">task, kept out by</th>
              <th scope="col" className="num w-[140px]">
                smallest change
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.task.id}>
                <td>
                  <span className="flex items-center gap-[10px]">
                    <Link
                      className="min-w-0 truncate font-medium no-underline hover:underline max-sm:py-[2px]"
                      title={row.task.key}
                      href={`/runs/${encodeURIComponent(run)}/tasks/${encodeURIComponent(row.task.id)}`}
                    >
                      {row.task.key}
                    </Link>
                    <EnvTag environment={row.task.environment} />
                  </span>
                  <span className="why wrap-anywhere" title={ruleOrigin(row.rule)}>
                    {row.sentence}
                  </span>
                </td>
                <td className="num whitespace-normal!">
                  <Change run={run} row={row} batch={batch} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  )
}
