'use client'
/* Owns the names of what a draft is about: environments from the steering record, tasks by their own query. An unknown id names itself. */
import { useQueries } from '@tanstack/react-query'
import { taskQuery } from '@/lib/client/task'
import type { OverrideInput, Steering } from '@/lib/contract/steering'
import type { EnvironmentRef, TaskRef } from '@/lib/contract/task-set'

export interface Target {
  environment: EnvironmentRef | null
  task: TaskRef | null
}

/** `nameOf`: code or key; `targetOf`: the references, null while they are asked for. */
export function useNames(
  run: string,
  now: Steering | undefined,
  draft: readonly OverrideInput[],
  /** a task beside those of the draft, or null */
  beside: string | null = null,
): { nameOf: (id: string) => string; targetOf: (id: string) => Target } {
  const environments = new Map((now?.quotas ?? []).map(({ environment }) => [environment.id, environment]))
  const asked = new Set<string>(beside === null ? [] : [beside])
  for (const change of draft) {
    const named = change.kind === 'pin' || change.kind === 'ban' || change.kind === 'boost'
    if (named && !environments.has(change.target)) asked.add(change.target)
  }
  const answers = useQueries({
    queries: (now === undefined ? [] : [...asked]).map((id) => ({ ...taskQuery(run, id), staleTime: 600_000 })),
  })
  const tasks = new Map(answers.flatMap(({ data }) => (data === undefined ? [] : [[data.task.id, data.task] as const])))
  const targetOf = (id: string): Target => {
    const task = tasks.get(id) ?? null
    return { environment: environments.get(id) ?? task?.environment ?? null, task }
  }
  return {
    targetOf,
    nameOf: (id) => tasks.get(id)?.key ?? environments.get(id)?.code ?? id,
  }
}
