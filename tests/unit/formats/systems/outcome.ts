/** What came of an import, in few words: for golden tests. Everything is held against the contract on the way. */
import { rolloutInput } from '@/lib/contract/rollout'
import { taskSetInput } from '@/lib/contract/task-set'
import { type ImportedSource, readFiles } from '@/lib/formats/read-files'
import type { SourceFile } from '@/lib/formats/source-file'

export async function outcome(files: SourceFile[]) {
  const source = await readFiles(files)
  const set = source.taskSet === null ? null : taskSetInput.parse(source.taskSet)
  const groups = [...source.groups].map(({ model, policyVersion, rollouts }) => ({
    model,
    policyVersion,
    rollouts: rollouts.map((rollout) => rolloutInput.parse(rollout)),
  }))
  return { source, set, groups, rollouts: groups.flatMap(({ rollouts }) => rollouts) }
}

type Group = Awaited<ReturnType<typeof outcome>>['groups'][number]

/** "3 baking/rye: 1 ok, NaN ok, null infra_error" */
export function sayGroup({ policyVersion, rollouts }: Group): string {
  const [first] = rollouts
  const ends = rollouts.map(({ reward, status }) => `${String(reward)} ${status}`)
  return `${policyVersion} ${first?.environment}/${first?.task}: ${ends.join(', ')}`
}

/** "a/b.json and 1 more: a trial without a task_id [3, 4]", by file */
export function saySkips({ skipped }: ImportedSource): string[] {
  return skipped
    .map(({ reason, lines, file, files }) => {
      const where = files === 1 ? file : `${file} and ${files - 1} more`
      return `${where}: ${reason}${lines.length === 0 ? '' : ` [${lines.join(', ')}]`}`
    })
    .sort()
}

export function sayParts(parts: readonly { name: string; value: number | null }[] | null | undefined): string {
  return (parts ?? []).map(({ name, value }) => `${name} ${String(value)}`).join(', ')
}
