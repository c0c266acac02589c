/**
 * Result files of tau-bench: a list of trials with the whole conversation; neither the environment nor the model is inside.
 * Owns: that an exception (reward 0, an error and no conversation) is an infrastructure error, not a failure; that the
 * environment is what the policy document's heading names; that the model is what the file is called; that a conversation which
 * nobody judged ran out of turns.
 */
import { calledTools, type Message, messagesOf } from './chat'
import { partOf, type ToldPart } from './reward-parts'
import type { RolloutLadder } from './rollout-ladder'
import { componentsOf, rewardOf } from './rollout-rows'
import type { TaskSetDraft } from './task-set-draft'
import { asKey, asList, asRow, asRows, asText, type Row } from './untyped'

interface Trial {
  task: string
  info: Row
  messages: Message[]
  row: Row
  line: number
}

/** The trials of one file. All lie in one environment, so one without a conversation goes where the others are. */
export class TrialResults {
  private readonly silent: Trial[] = []
  private environment: string | null = null

  /** `place` is the file's name without its ending. */
  constructor(
    private readonly draft: TaskSetDraft,
    private readonly ladder: RolloutLadder,
    private readonly place: string,
  ) {}

  /** Null when taken, else why not. */
  add(row: Row, line: number): string | null {
    const task = asKey(row.task_id)
    if (task === null) return 'a trial without a task_id'
    const messages = messagesOf(row.traj)
    const trial = { task, info: asRow(row.info) ?? {}, messages, row, line }
    const environment = environmentOf(messages)
    if (environment === null) {
      this.silent.push(trial)
      return null
    }
    this.environment ??= environment
    return this.take(environment, trial)
  }

  finish(skip: (reason: string, line: number) => void): void {
    for (const trial of this.silent) {
      const reason = this.take(this.environment ?? this.place, trial)
      if (reason !== null) skip(reason, trial.line)
    }
  }

  private take(environment: string, { task, info, messages, row }: Trial): string | null {
    const error = asText(info.error)
    const failed = error !== null || messages.length === 0
    if (!this.draft.has(environment, task) && !addTask(this.draft, environment, task, info)) {
      return 'an environment or task key longer than 500 characters'
    }
    const verdict = asRow(info.reward_info)
    const tools = calledTools(messages)
    for (const tool of tools) this.draft.tool(environment, tool.name, null, tool.parameters)
    this.ladder.add(modelOf(this.place), {
      environment,
      task,
      reward: failed ? null : rewardOf(row.reward),
      status: failed ? 'infra_error' : 'reward_info' in info && verdict === null ? 'truncated' : 'ok',
      turns: messages.filter((message) => message.role === 'assistant').length,
      tools: tools.map((tool) => tool.name),
      rewardComponents: verdict === null ? null : componentsIn(verdict),
      messages,
      error: failed ? (error ?? 'The file holds no conversation for this trial.').slice(0, 20_000) : null,
    })
    return null
  }
}

function addTask(draft: TaskSetDraft, environment: string, key: string, info: Row): boolean {
  const task = asRow(info.task) ?? {}
  const actions = asRows(task.actions)
  const tools = actions.flatMap((action) => {
    const name = asText(action.name)
    if (name === null) return []
    draft.tool(environment, name, null, Object.keys(asRow(action.kwargs) ?? {}))
    return [name]
  })
  const outputs = asList(task.outputs) ?? []
  const checks = outputs.length > 0 ? ['end state', 'outputs'] : ['end state']
  draft.verifier(environment, 'end state+outputs', checks)
  return draft.task({ environment, key, text: asText(task.instruction) ?? undefined, tools, checks, payload: task })
}

/** The end state or what was said, as the benchmark judges; a fork's graded parts beside them. */
function componentsIn(verdict: Row): ToldPart[] {
  const info = asRow(verdict.info) ?? {}
  return [
    ...('r_actions' in info ? [partOf('end state', info.r_actions)] : []),
    ...('r_outputs' in info ? [partOf('outputs', info.r_outputs)] : []),
    ...(componentsOf(verdict.components) ?? []),
  ]
}

/** "tool-calling-gpt-4o-0.0_range_0--1_user-gpt-4o-llm_0101" is "tool-calling-gpt-4o-0.0": one policy over all its files. */
function modelOf(stem: string): string {
  return /^(.+?)_range_-?\d/.exec(stem)?.[1] ?? stem
}

/** "# Airline Agent Policy" in the first message names the environment "airline". */
function environmentOf(messages: Message[]): string | null {
  const first = messages[0]
  if (first === undefined || first.role !== 'system') return null
  const heading = /^\s*#\s+(.+)$/m.exec(asText(first.content) ?? '')?.[1] ?? ''
  const words = heading.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const name = words.filter((word) => word !== '' && word !== 'agent' && word !== 'policy').join('_')
  return name === '' ? null : name
}
