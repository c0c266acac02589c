'use client'
/* Owns taking the filtered rollouts away: the server writes the file while it reads, whatever its size. */
import { CopyButton } from '@/components/ui/copy-button'
import { curlOf } from '@/components/ui/export-menu'
import { Icon } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { type RolloutSearch, rolloutExportPath } from '@/lib/client/rollout'

const FORMATS = [
  ['csv', 'CSV, one row a rollout'],
  ['json', 'JSON, one object a rollout'],
  ['jsonl', 'JSON lines, with messages'],
] as const

export function RolloutExport({ run, search }: { run: string; search: RolloutSearch }) {
  return (
    <Popover
      label="Export what is filtered"
      trigger={<Icon name="export" />}
      triggerClass="btn icon-btn"
      className="menu"
      align="end"
    >
      {(close) => (
        <>
          {FORMATS.map(([format, words]) => (
            <a key={format} href={rolloutExportPath(run, search, format)} download onClick={close}>
              {words}
            </a>
          ))}
          <CopyButton
            label="Copy as curl"
            text={curlOf(
              typeof window === 'undefined' ? '' : window.location.origin,
              rolloutExportPath(run, search, 'jsonl').replace(/^\/api\/v1/, ''),
            )}
          />
        </>
      )}
    </Popover>
  )
}
