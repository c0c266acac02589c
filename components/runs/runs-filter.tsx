'use client'
/* Owns the two filters of a long list of runs: words, and a status. */
import { Icon } from '@/components/ui/icon'
import { RUN_STATUSES, type RunStatus, type RunSummary } from '@/lib/contract/run'

export function RunsFilter({
  runs,
  query,
  status,
  onQuery,
  onStatus,
}: {
  runs: readonly RunSummary[]
  query: string
  status: RunStatus | null
  onQuery: (query: string) => void
  onStatus: (status: string | null) => void
}) {
  const present = RUN_STATUSES.filter((one) => one === status || runs.some((run) => run.status === one))
  return (
    <div className="mb-2 flex flex-wrap items-center gap-2">
      <label className="input flex w-[260px] items-center gap-2 max-sm:w-full">
        <Icon name="search" className="text-ink-3" />
        <input
          className="min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-3"
          type="search"
          aria-label="Filter by name, scheduler or task set"
          placeholder="Name, scheduler or task set"
          value={query}
          onChange={(event) => onQuery(event.target.value)}
        />
      </label>
      <select
        className="input"
        aria-label="Status"
        value={status ?? ''}
        onChange={(event) => onStatus(event.target.value === '' ? null : event.target.value)}
      >
        <option value="">any status</option>
        {present.map((one) => (
          <option key={one} value={one}>
            {one}, {runs.filter((run) => run.status === one).length}
          </option>
        ))}
      </select>
    </div>
  )
}
