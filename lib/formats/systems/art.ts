/**
 * OpenPipe ART's trajectories: `…/{project}/models/{model}/trajectories/{split}/{step}`, groups as a YAML list (old) or a group a
 * line (JSONL); newer tables have a trajectory a row.
 * Owns: that a Choice is told by its `message`; that a group's task is what its user put into metadata, else its prompt.
 */
import type { RolloutStatus } from '@/lib/contract/rollout'
import { type Call, calledTools, type Message, messageOf } from '@/lib/formats/chat'
import { inChatForm } from '@/lib/formats/chat-form'
import { numberInPath } from '@/lib/formats/named-folder'
import { promptKey, promptText } from '@/lib/formats/prompt-key'
import { partsOf, rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { versionOf } from '@/lib/formats/row-version'
import type { FileFacts, Form, Intake, System } from '@/lib/formats/system'
import { tellTools } from '@/lib/formats/tool-docs'
import { asKey, asList, asRow, asRows, type Row } from '@/lib/formats/untyped'

const forms: readonly Form[] = [
  {
    kind: 'art-groups',
    name: 'ART trajectory groups',
    stage: 'rollouts',
    recognise: (row) => asList(row.trajectories)?.some(isTrajectory) === true,
    fields: () => [
      ['environment', 'metadata.environment'],
      ['task', 'metadata.task_id'],
      ['policy version', '(the name of the file)'],
      ['reward', 'trajectories.0.reward'],
      ['reward parts', 'trajectories.0.metrics'],
      ['messages', 'trajectories.0.messages_and_choices'],
      ['task tools', 'trajectories.0.tools'],
    ],
  },
  {
    kind: 'art-trajectories',
    name: 'ART trajectories',
    stage: 'rollouts',
    recognise: isTrajectory,
    fields: () => [
      ['environment', 'metadata.environment'],
      ['task', 'metadata.task_id'],
      ['policy version', '(the name of the file)'],
      ['reward', 'reward'],
      ['reward parts', 'metrics'],
      ['messages', 'messages_and_choices'],
      ['task tools', 'tools'],
    ],
  },
]

function isTrajectory(value: unknown): boolean {
  const row = asRow(value)
  return row !== null && 'reward' in row && asList(row.messages_and_choices) !== null
}

export const art: System = {
  key: 'art',
  forms,
  begin(intake) {
    const taker = new RolloutTaker(intake.draft, intake.ladder)
    return {
      open(kind, file) {
        const place = placeIn(file)
        if (kind === 'art-trajectories') return (row) => takeOne(intake, taker, row, {}, place)
        return (row, line) => takeGroup(intake, taker, row, { ...place, file: file.name, line })
      },
      finish: () => taker.finish(),
    }
  },
}

interface Place {
  project: string | null
  model: string
  step: number | null
}

/** `.art/tic-tac-toe/models/agent-1/trajectories/train/0012.jsonl` */
function placeIn({ name }: FileFacts): Place {
  const parts = name.split(/[\\/]/)
  const at = parts.lastIndexOf('models')
  const model = at < 0 ? undefined : parts[at + 1]
  return {
    project: (at < 1 ? undefined : parts[at - 1]) ?? null,
    model: model ?? 'model',
    step: numberInPath(name, /(?:^|[\\/])(\d+)\.[a-z.]+$/i),
  }
}

function takeGroup(
  intake: Intake,
  taker: RolloutTaker,
  group: Row,
  { file, line, ...place }: Place & { file: string; line: number },
): string | null {
  const list = asList(group.trajectories)
  if (list === null) return 'a group without trajectories'
  const reasons = list.map((item) => takeOne(intake, taker, asRow(item) ?? {}, asRow(group.metadata) ?? {}, place))
  const bad = reasons.filter((reason) => reason !== null)
  const [first] = bad
  if (list.length === 0) return 'a group without trajectories'
  if (first !== undefined && bad.length === list.length) return first
  for (const reason of bad) intake.skip(file, reason, line)
  return null
}

const ENVIRONMENTS = ['environment', 'env', 'env_name', 'env_id', 'domain', 'dataset']
const TASKS = ['task_id', 'scenario_id', 'task', 'scenario', 'example_id', 'problem_id', 'id']

function takeOne({ draft }: Intake, taker: RolloutTaker, row: Row, ofGroup: Row, place: Place): string | null {
  const items = asList(row.messages_and_choices)
  if (items === null) return 'a trajectory without messages'
  const messages = chat(items)
  const metadata = { ...ofGroup, ...asRow(row.metadata) }
  const environment = named(metadata, ENVIRONMENTS) ?? place.project ?? 'art'
  const opening = openingOf(messages)
  const task = named(metadata, TASKS) ?? promptKey(opening)
  if (task === null) return 'a trajectory without a task or a prompt'
  tellTools(draft, environment, row.tools)
  const others = asRows(row.additional_histories).flatMap((one) => chat(asList(one.messages_and_choices) ?? []))
  const calls: Call[] = calledTools([...messages, ...others])
  return taker.take({
    environment,
    task,
    about: { text: promptText(opening) ?? undefined, payload: metadata },
    model: named(metadata, ['model']) ?? place.model,
    version: place.step ?? versionOf(metadata),
    reward: rewardValue(row.reward),
    components: partsOf(row.metrics),
    status: endOf(items),
    messages,
    calls,
  })
}

function chat(items: readonly unknown[]): Message[] {
  return items.flatMap((item) => {
    const row = asRow(item)
    const message = messageOf(row !== null && asRow(row.message) !== null ? row.message : row)
    return message === null ? [] : inChatForm(message)
  })
}

/** What the policy was given before it first spoke. */
function openingOf(messages: readonly Message[]): Message[] {
  const first = messages.findIndex(({ role }) => role === 'assistant')
  return first < 0 ? [...messages] : messages.slice(0, first)
}

function endOf(items: readonly unknown[]): RolloutStatus {
  const last = items.map(asRow).findLast((row) => row !== null && asRow(row.message) !== null)
  return last?.finish_reason === 'length' ? 'truncated' : 'ok'
}

function named(metadata: Row, names: readonly string[]): string | null {
  for (const name of names) {
    const key = asKey(metadata[name])
    if (key !== null) return key
  }
  return null
}
