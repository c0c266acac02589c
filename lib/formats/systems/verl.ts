/**
 * Files of verl: rollout dumps ({step}.jsonl; with `uid` since its second trainer) and its datasets as task sets.
 * Owns: that a dump names no task, so the prompt does; that an agent loop's session may write several outputs, of which the last
 * one carries the reward; that numbers beside the score are its parts.
 */
import type { Message } from '@/lib/formats/chat'
import { namedFolder } from '@/lib/formats/named-folder'
import { promptKey, promptText } from '@/lib/formats/prompt-key'
import { finitePart, type Part, rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { versionOf } from '@/lib/formats/row-version'
import { type Field, type Form, type Intake, type Session, type System, type Take, unused } from '@/lib/formats/system'
import { textCalls } from '@/lib/formats/text-calls'
import { textTools } from '@/lib/formats/text-tools'
import { asCount, asKey, asRow, asText, type Row } from '@/lib/formats/untyped'
import { addVerlTask } from '@/lib/formats/verl-tasks'

const OWN = new Set(['input', 'output', 'gts', 'score', 'step', 'uid', 'request_id'])
const ENVIRONMENTS = ['data_source', 'environment', 'env_name'] as const
const TASKS = ['task_id', 'task'] as const
const TURNS = ['num_turns', '__num_turns__'] as const
const NAMES = new Set<string>([...ENVIRONMENTS, ...TASKS, ...TURNS])
const GENERIC =
  /^(?:rollouts?|rollout_data|validation|validation_data|val|train|dumps?|generations?|data|logs?|outputs?)$/i
const WITHOUT_FOLDER = 'verl'
const VALIDATION = /(?:^|[\\/])val[^\\/]*[\\/]/i
/** characters of outputs that wait for others of their sessions; a step's file holds far fewer */
const MOST_WAITING = 2 ** 25
const UID = /^(.+)_(\d+)_(\d+)$/

const dump: Form = {
  kind: 'verl',
  name: 'verl rollout dump',
  stage: 'rollouts',
  recognise: (row) =>
    typeof row.input === 'string' &&
    typeof row.output === 'string' &&
    'score' in row &&
    ('gts' in row || 'step' in row),
  fields(row) {
    const environment = ENVIRONMENTS.find((name) => asText(row[name]) !== null)
    const task = TASKS.find((name) => asKey(row[name]) !== null)
    const fields: Field[] = [
      ['environment', environment ?? '(the folder)'],
      ['task', task ?? '(the prompt, by its hash)'],
      ['policy version', 'step'],
      ['reward', 'score'],
      ...Object.keys(row).flatMap((name): Field[] => (isPart(row, name) ? [['reward part', name]] : [])),
      ['task text', 'input'],
      ['messages', 'output'],
      ['task payload', 'gts'],
      ...('uid' in row ? [['session', 'uid'] as const] : []),
    ]
    return [...fields, ...unused(row, fields)]
  },
}

const tasks: Form = {
  kind: 'verl-tasks',
  name: 'verl dataset',
  stage: 'tasks',
  recognise: (row) =>
    typeof row.data_source === 'string' &&
    promptText(row.prompt) !== null &&
    ('reward_model' in row || 'extra_info' in row) &&
    !('reward' in row) &&
    !('completion' in row),
  fields(row) {
    const fields: Field[] = [
      ['environment', 'data_source'],
      ['task', asKey(asRow(row.extra_info)?.index) === null ? '(the prompt, by its hash)' : 'extra_info.index'],
      ['task text', 'prompt'],
      ['task tools', 'extra_info.tools_kwargs'],
      ['verifier', 'reward_model.style'],
      ['task payload', 'ability'],
    ]
    return [...fields, ...unused(row, fields)]
  },
}

export const verl: System = {
  key: 'verl',
  forms: [dump, tasks],
  begin(intake) {
    const dumps = new Dumps(intake)
    return {
      open: (kind, file) => (kind === 'verl-tasks' ? (row) => addVerlTask(intake.draft, row) : dumps.open(file.name)),
      finish: () => dumps.finish(),
    }
  },
}

interface Output {
  index: number
  row: Row
  line: number
}

class Dumps implements Session {
  private readonly taker: RolloutTaker
  private readonly parts = new Set<string>()
  /** outputs by prompt and session, of the file that is read */
  private readonly sessions = new Map<string, Output[]>()
  private readonly closed = new Set<string>()
  private waiting = 0
  private file = ''

  constructor(private readonly intake: Intake) {
    this.taker = new RolloutTaker(intake.draft, intake.ladder)
  }

  open(file: string): Take {
    this.flush()
    this.closed.clear()
    this.file = file
    return (row, line) => {
      const [, prompt, session, index] = UID.exec(asText(row.uid) ?? '') ?? []
      if (typeof row.input !== 'string' || typeof row.output !== 'string') return 'a row without an input and an output'
      if (asText(row.input) === null) return 'a row with an empty prompt'
      if (prompt === undefined || session === undefined) return this.add([{ index: 0, row, line }])
      const key = `${prompt}_${session}`
      if (this.closed.has(key)) return 'an output far behind the others of its session'
      const outputs = this.sessions.get(key) ?? []
      outputs.push({ index: Number(index), row, line })
      this.sessions.set(key, outputs)
      this.waiting += row.input.length + row.output.length
      if (this.waiting > MOST_WAITING) this.flush()
      return null
    }
  }

  finish(): void {
    this.flush()
    this.taker.finish()
  }

  private flush(): void {
    for (const [key, outputs] of this.sessions) {
      const reason = this.add(outputs.sort((x, y) => x.index - y.index))
      if (reason !== null) this.intake.skip(this.file, reason, outputs.at(-1)?.line ?? null)
      this.closed.add(key)
    }
    this.sessions.clear()
    this.waiting = 0
  }

  /** The first output has the task's prompt, the last one the reward. */
  private add(outputs: readonly Output[]): string | null {
    const first = outputs[0]?.row ?? {}
    const { row } = outputs.at(-1) ?? { row: first }
    const environment =
      ENVIRONMENTS.map((name) => asText(row[name])).find((name) => name !== null) ??
      namedFolder(this.file, GENERIC) ??
      WITHOUT_FOLDER
    const named = TASKS.map((name) => asKey(row[name])).find((name) => name !== null)
    const task = named ?? promptKey(first.input) ?? ''
    const { draft } = this.intake
    const tools = draft.has(environment, task) ? [] : textTools(String(first.input))
    for (const tool of tools) draft.tool(environment, tool.name, tool.description, tool.parameters)
    return this.taker.take({
      environment,
      task,
      about: {
        text: String(first.input),
        tools: tools.map(({ name }) => name),
        payload: { ground_truth: first.gts ?? null },
      },
      model: VALIDATION.test(this.file) ? 'policy, validated' : 'policy',
      version: versionOf(row),
      reward: rewardValue(row.score),
      components: this.partsOf(row),
      messages: outputs.flatMap((output) => messagesOf(output.row)),
      calls: outputs.flatMap((output) => textCalls(String(output.row.output))),
      turns: TURNS.map((name) => asCount(row[name])).find((count) => count !== null) ?? outputs.length,
    })
  }

  /** A part that is null in this row counts where it was a number in another. */
  private partsOf(row: Row): Part[] | null {
    for (const name of Object.keys(row)) if (isPart(row, name)) this.parts.add(name)
    const parts = [...this.parts].flatMap((name) =>
      name in row ? [{ name, value: finitePart(rewardValue(row[name])) }] : [],
    )
    return parts.length === 0 ? null : parts
  }
}

function isPart(row: Row, name: string): boolean {
  const value = row[name]
  const counts = typeof value === 'number' || typeof value === 'boolean' || value === 'NaN'
  return counts && !OWN.has(name) && !NAMES.has(name)
}

function messagesOf(row: Row): Message[] {
  return [
    { role: 'user', content: row.input },
    { role: 'assistant', content: row.output },
  ]
}
