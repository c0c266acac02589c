/** What the readers made of files, in short: every group with its rewards. All that is told has passed the contract. */
import { rolloutInput } from '@/lib/contract/rollout'
import { taskSetInput } from '@/lib/contract/task-set'
import { readFiles } from '@/lib/formats/read-files'
import { fixture } from '../source-files'

type Files = Parameters<typeof readFiles>[0]

export async function told(source: string | Files) {
  const read = await readFiles(typeof source === 'string' ? fixture(source) : source)
  const set = read.taskSet === null ? null : taskSetInput.parse(read.taskSet)
  const groups = [...read.groups]
  const rollouts = groups.flatMap((group) => group.rollouts)
  for (const rollout of rollouts) rolloutInput.parse(rollout)
  return {
    read,
    set,
    rollouts,
    groups: groups.map(({ model, policyVersion, rollouts: own }) => ({
      of: `${own[0]?.environment} | ${plain(own[0]?.task)}`,
      model,
      policyVersion,
      rewards: own.map(({ reward }) => reward),
      statuses: own.map(({ status }) => status),
    })),
    skipped: read.skipped.map(({ file, reason, lines }) => `${file}: ${reason} @ ${lines.join(' ')}`.trim()).sort(),
    tasks: set?.tasks.map(({ environment, key }) => `${environment} | ${plain(key)}`) ?? [],
    environment: (key: string) => set?.environments.find((one) => one.key === key),
    mapped: read.tally.mapping.map(({ here, from }) => `${here}: ${from}`),
  }
}

export type Told = Awaited<ReturnType<typeof told>>

/** A key that a prompt gave, without its hash. */
function plain(key: string | undefined): string {
  return (key ?? '').replaceAll(/ ?#[0-9a-f]{12}\b/g, ' #')
}
