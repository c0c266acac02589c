/**
 * Harbor: a `result.json` a trial, its conversation beside it in `agent/trajectory.json` (ATIF), and a `result.json` a job.
 * Owns: that the two find each other by their folder; that an exception is no failure of the policy, save that its time ran out;
 * that the rewards of a verifier are parts. What a helper agent did is no part of the trial's conversation.
 */
import type { RolloutStatus } from '@/lib/contract/rollout'
import { atifMessages, isAtif } from '@/lib/formats/atif'
import type { Message } from '@/lib/formats/chat'
import { contentText } from '@/lib/formats/prompt-key'
import { partOf, secondsBetween, totalOf } from '@/lib/formats/reward-parts'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import type { Form, Intake, System } from '@/lib/formats/system'
import { tellTools } from '@/lib/formats/tool-docs'
import { asCount, asNumber, asRow, asRows, asText, has, type Row } from '@/lib/formats/untyped'

const forms: readonly Form[] = [
  {
    kind: 'atif',
    name: 'ATIF trajectory',
    stage: 'documents',
    recognise: isAtif,
    fields: () => [
      ['messages', 'steps'],
      ['task text', 'steps.0.message'],
      ['task tools', 'agent.tool_definitions'],
    ],
  },
  {
    kind: 'harbor-job',
    name: 'Harbor job',
    stage: 'documents',
    recognise: (row) => isJob(row) && asRows(row.trial_results).length === 0,
    fields: () => [],
    fileOnly: 'it sums up a job whose trials have files of their own',
  },
  {
    kind: 'harbor-job-trials',
    name: 'Harbor job with its trials',
    stage: 'rollouts',
    recognise: isJob,
    fields: () => [
      ['environment', 'trial_results.0.source'],
      ['task', 'trial_results.0.task_name'],
      ['reward', 'trial_results.0.verifier_result.rewards'],
    ],
  },
  {
    kind: 'harbor-trial',
    name: 'Harbor trial',
    stage: 'rollouts',
    recognise: (row) => has(row, 'task_name', 'trial_name') && 'verifier_result' in row,
    fields: () => [
      ['environment', 'source'],
      ['task', 'task_name'],
      ['policy version', 'agent_info.model_info.name'],
      ['reward', 'verifier_result.rewards'],
      ['status', 'exception_info.exception_type'],
      ['tokens', 'agent_result.n_output_tokens'],
      ['seconds', 'agent_execution.started_at'],
      ['messages', '(trajectory.json beside it)'],
    ],
  },
]

function isJob(row: Row): boolean {
  return has(row, 'n_total_trials') && asRow(row.stats) !== null
}

export const harbor: System = {
  key: 'harbor',
  forms,
  begin(intake) {
    const trials = new Trials(intake)
    return {
      open(kind, { name }) {
        if (kind === 'atif')
          return (row) => {
            trials.trajectory(name, row)
            return null
          }
        if (kind === 'harbor-trial') return (row) => trials.take(row, folderOf(name))
        return (row, line) => {
          for (const one of asRows(row.trial_results)) {
            const reason = trials.take(one, `${folderOf(name)}/${asText(one.trial_name) ?? ''}`)
            if (reason !== null) intake.skip(name, reason, line)
          }
          return null
        }
      },
      finish: () => trials.finish(),
    }
  },
}

interface Part {
  name: string
  row: Row
  used: boolean
}

class Trials {
  private readonly parts = new Map<string, Part[]>()
  private readonly seen = new Set<string>()
  private readonly taker: RolloutTaker

  constructor(private readonly intake: Intake) {
    this.taker = new RolloutTaker(intake.draft, intake.ladder)
  }

  trajectory(name: string, row: Row): void {
    const folder = folderOf(name).replace(/\/?(?:logs\/)?agent$/, '')
    const part = { name, row, used: false }
    const known = this.parts.get(folder)
    if (known === undefined) this.parts.set(folder, [part])
    else known.push(part)
  }

  take(row: Row, folder: string): string | null {
    const task = asText(row.task_name)
    if (task === null) return 'a trial without a task_name'
    const identity = asText(row.id) ?? JSON.stringify([folder, row.trial_name])
    if (this.seen.has(identity)) return 'a trial that stands in another file too'
    const environment = asText(row.source) ?? asText(asRow(row.task_id)?.org) ?? 'harbor'
    const parts = this.conversationOf(folder)
    for (const part of parts) tellTools(this.intake.draft, environment, asRow(part.agent)?.tool_definitions)
    const messages = parts.flatMap(atifMessages)
    const rewards = Object.entries(asRow(asRow(row.verifier_result)?.rewards) ?? {}).map(([name, value]) =>
      partOf(name, value),
    )
    const { status, error } = endOf(asRow(row.exception_info), rewards.length > 0)
    const agent = asRow(row.agent_result) ?? {}
    const time = asRow(row.agent_execution) ?? row
    const reason = this.taker.take({
      environment,
      task,
      about: { text: instruction(messages), checks: rewards.map(({ name }) => name) },
      verifier: { kind: 'verifier', checks: rewards.map(({ name }) => name) },
      model: modelOf(asRow(row.agent_info) ?? {}),
      version: null,
      reward: totalOf(rewards),
      components: rewards,
      status,
      error,
      messages,
      tokens: asCount(agent.n_output_tokens) ?? asCount(asRow(parts[0]?.final_metrics)?.total_completion_tokens),
      seconds: secondsBetween(time.started_at, time.finished_at) ?? asNumber(row.duration_seconds),
    })
    if (reason === null) this.seen.add(identity)
    return reason
  }

  /** The main trajectory and its continuations, in their order. */
  private conversationOf(folder: string): Row[] {
    const known = this.parts.get(folder) ?? []
    const own = known.filter(({ name }) => /(?:^|\/)trajectory(?:\.cont-\d+)?\.json$/.test(name))
    const chosen = own.length > 0 ? own : known.slice(0, 1)
    chosen.sort((a, b) => continuation(a.name) - continuation(b.name))
    const rows = chosen.map(({ row }) => row)
    for (const part of chosen) {
      part.used = true
      // its messages are kept with the rollout from here on
      part.row = {}
    }
    return rows
  }

  finish(): void {
    this.taker.finish()
    for (const [folder, parts] of this.parts) {
      const told = parts.some(({ used }) => used)
      const why = told ? 'the trajectory of a helper agent' : 'a trajectory without a result.json that tells its reward'
      for (const { name, used } of parts) if (!used) this.intake.skip(name === '' ? folder : name, why, 1)
    }
  }
}

function folderOf(name: string): string {
  return name.split(/[\\/]/).slice(0, -1).join('/')
}

function continuation(name: string): number {
  return Number(/cont-(\d+)\.json$/.exec(name)?.[1] ?? 0)
}

/** What the trial was told, without the system's words. */
function instruction(messages: readonly Message[]): string | undefined {
  const first = messages.find(({ role }) => role === 'user')
  return contentText(first?.content) ?? undefined
}

function modelOf(agent: Row): string {
  const model = asRow(agent.model_info)
  return [asText(agent.name), asText(model?.name)].filter((part) => part !== null).join(' ') || 'model'
}

function endOf(exception: Row | null, rewarded: boolean): { status: RolloutStatus; error: string | null } {
  if (exception === null) return { status: 'ok', error: null }
  const type = asText(exception.exception_type) ?? 'exception'
  const words = [type, asText(exception.exception_message)].filter((part) => part !== null)
  const error = words.join(': ')
  if (/^Agent.*Timeout/.test(type) && rewarded) return { status: 'truncated', error }
  if (/Verifier|Reward/.test(type)) return { status: 'verifier_error', error }
  return { status: /Cancel/.test(type) ? 'cancelled' : 'infra_error', error }
}
