'use client'
/* Owns the bar of filters and what they leave over. Must never know where the filters are kept. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TargetSearch } from '@/components/steering/target-search'
import { Button } from '@/components/ui/button'
import { EnvTag } from '@/components/ui/env-tag'
import { environmentsQuery } from '@/lib/client/environment'
import type { RolloutSearch } from '@/lib/client/rollout'
import { taskQuery } from '@/lib/client/task'
import { isFiltered, REWARD_WORDS, STATUS_WORDS } from '@/lib/view/rollout-search'
import { FilterMenu } from './filter-menu'
import { RolloutExport } from './rollout-export'
import { TextFilter } from './text-filter'

const choicesOf = (words: Record<string, string>) => Object.entries(words).map(([value, word]) => ({ value, word }))

function PolicyField({ onChoose }: { onChoose: (policy: string) => void }) {
  const [typed, setTyped] = useState('')
  return (
    <form
      className="flex items-center gap-2 p-1"
      onSubmit={(event) => {
        event.preventDefault()
        if (/^\d{1,9}$/.test(typed)) onChoose(typed)
      }}
    >
      <input
        className="input w-[96px]"
        inputMode="numeric"
        aria-label="Policy version"
        placeholder="Version"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="submit" className="btn" disabled={!/^\d{1,9}$/.test(typed)}>
        Show
      </button>
    </form>
  )
}

/** What each filter is set to, in words; null where it is not. */
function spokenOf(
  search: RolloutSearch,
  environment: { code: string } | undefined,
  task: { key: string } | undefined,
): Record<'environment' | 'task' | 'status' | 'reward', string | null> {
  return {
    environment: search.environment === null ? null : (environment?.code ?? search.environment),
    task: search.task === null ? null : (task?.key ?? search.task),
    status: search.status === null ? null : (STATUS_WORDS[search.status] ?? null),
    reward: search.reward === null ? null : (REWARD_WORDS[search.reward] ?? null),
  }
}

export function RolloutFilters({
  run,
  search,
  onFilter,
  onClear,
  found,
}: {
  run: string
  search: RolloutSearch
  onFilter: (patch: Partial<RolloutSearch>) => void
  onClear: () => void
  /** how many are left: "35 of 33 096" */
  found: string
}) {
  const environments = useQuery(environmentsQuery(run)).data?.items ?? []
  const chosen = environments.find(({ id }) => id === search.environment)
  const task = useQuery({ ...taskQuery(run, search.task ?? ''), enabled: search.task !== null }).data?.task
  const spoken = spokenOf(search, chosen, task)
  return (
    <div className="filters">
      <TextFilter value={search.q} onChange={(q) => onFilter({ q })} />
      <FilterMenu
        name="env."
        all={`all ${environments.length === 0 ? '' : environments.length}`.trim()}
        value={search.environment}
        said={
          search.environment === null ? null : chosen === undefined ? (
            search.environment
          ) : (
            <EnvTag environment={chosen} />
          )
        }
        spoken={spoken.environment}
        choices={environments.map((environment) => ({
          value: environment.id,
          word: (
            <>
              <EnvTag environment={environment} />
              <span className="max-w-[24ch] truncate">{environment.name}</span>
            </>
          ),
        }))}
        onChoose={(environment) => onFilter({ environment, task: null })}
      />
      <FilterMenu
        name="task"
        all="all"
        value={search.task}
        said={spoken.task}
        spoken={spoken.task}
        choices={task === undefined || search.task === null ? [] : [{ value: search.task, word: task.key }]}
        onChoose={(id) => onFilter({ task: id })}
        before={(close) => (
          <div className="task-search">
            <TargetSearch
              run={run}
              environments={[]}
              tasks
              label="Show the rollouts of a task"
              placeholder="Task"
              onFound={(target) => {
                if (target.kind !== 'task') return
                onFilter({ task: target.task.id })
                close()
              }}
            />
          </div>
        )}
      />
      <FilterMenu
        name="policy"
        all="all"
        value={search.policy}
        said={search.policy}
        spoken={search.policy}
        choices={search.policy === null ? [] : [{ value: search.policy, word: search.policy }]}
        onChoose={(policy) => onFilter({ policy })}
        before={(close) => (
          <PolicyField
            onChoose={(policy) => {
              onFilter({ policy })
              close()
            }}
          />
        )}
      />
      <FilterMenu
        name="status"
        all="all 5"
        value={search.status}
        said={spoken.status}
        spoken={spoken.status}
        choices={choicesOf(STATUS_WORDS)}
        onChoose={(status) => onFilter({ status })}
      />
      <FilterMenu
        name="reward"
        all="all"
        value={search.reward}
        said={spoken.reward}
        spoken={spoken.reward}
        choices={choicesOf(REWARD_WORDS)}
        onChoose={(reward) => onFilter({ reward })}
      />
      <span className="whitespace-nowrap text-ink-2" role="status">
        {found}
      </span>
      {isFiltered(search) && (
        <Button size="small" kind="quiet" onClick={onClear}>
          Clear
        </Button>
      )}
      <span className="ml-auto">
        <RolloutExport run={run} search={search} />
      </span>
    </div>
  )
}
