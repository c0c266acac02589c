'use client'
/* Owns steering from wherever a task or an environment is shown: each choice goes into the run's one draft, and says so.
   Must never write to the server: what was added is previewed and applied on the Steering page. */
import { useRouter } from 'next/navigation'
import { Icon, type IconName } from '@/components/ui/icon'
import { Popover } from '@/components/ui/popover'
import { useToast } from '@/components/ui/toast'
import type { OverrideInput } from '@/lib/contract/steering'
import type { EnvironmentRef, TaskRef } from '@/lib/contract/task-set'
import { formatCount } from '@/lib/view/format'
import { addToDraft } from './use-draft'

/** Batches that what is added in place is given; the draft can change it. */
const BATCHES = 10

interface Choice {
  icon: IconName
  words: string
  change: OverrideInput
}

function choices(task: TaskRef | null, environment: EnvironmentRef | null): Choice[] {
  const ofTask: Choice[] =
    task === null
      ? []
      : [
          { icon: 'pin', words: `Pin ${task.key}`, change: { kind: 'pin', target: task.id, batches: BATCHES } },
          {
            icon: 'boost',
            words: `Boost ${task.key}, 2 times`,
            change: { kind: 'boost', target: task.id, factor: 2, batches: BATCHES },
          },
          { icon: 'ban', words: `Ban ${task.key}`, change: { kind: 'ban', target: task.id, batches: null } },
        ]
  if (environment === null) return ofTask
  const { id, code } = environment
  return [
    ...ofTask,
    {
      icon: 'boost',
      words: `Boost ${code}, 1.5 times`,
      change: { kind: 'boost', target: id, factor: 1.5, batches: BATCHES },
    },
    {
      icon: 'pause',
      words: `Pause ${code}, hold`,
      change: { kind: 'pause', target: id, mode: 'hold', batches: BATCHES },
    },
    {
      icon: 'pause',
      words: `Pause ${code}, drain`,
      change: { kind: 'pause', target: id, mode: 'drain', batches: BATCHES },
    },
  ]
}

export function SteerMenu({
  run,
  task,
  environment,
  align = 'start',
}: {
  run: string
  task: TaskRef | null
  environment: EnvironmentRef | null
  align?: 'start' | 'end'
}) {
  const router = useRouter()
  const toast = useToast()
  const add = ({ words, change }: Choice) => {
    const count = addToDraft(run, change)
    toast({
      tone: 'ok',
      text: `${words}: in the draft, ${formatCount(count, 'change')}, not applied.`,
      action: { label: 'Preview', run: () => router.push(`/runs/${encodeURIComponent(run)}/steering`) },
    })
  }
  return (
    <Popover
      label={`Steer ${task?.key ?? environment?.name ?? ''}`}
      triggerClass="btn undo-trigger"
      className="menu"
      align={align}
      trigger={
        <>
          Steer
          <Icon name="down" />
        </>
      }
    >
      {(close) => (
        <>
          {choices(task, environment).map((choice) => (
            <button
              key={choice.words}
              type="button"
              onClick={() => {
                add(choice)
                close()
              }}
            >
              <Icon name={choice.icon} />
              <span className="max-w-[36ch] truncate">{choice.words}</span>
            </button>
          ))}
        </>
      )}
    </Popover>
  )
}
