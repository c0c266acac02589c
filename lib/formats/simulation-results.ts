/**
 * Results of tau2-bench: simulations in one file with what they were run with, in a bare list, or a file each in
 * `simulations/` beside a `results.json`. Owns: what a simulation's own file does not say (domain, model, reward of an index);
 * that one which stands twice counts once, and one that only the index knows is kept without its conversation.
 */

import { stemOf } from './file-place'
import { contentText, promptKey } from './prompt-key'
import { rewardValue } from './reward-value'
import { RolloutTaker } from './rollout-taker'
import { addScenarioTask } from './scenario-tasks'
import { rewardParts, simulationEnd, simulationMessages } from './simulation'
import type { FileFacts, Intake } from './system'
import { tellTools } from './tool-docs'
import { asKey, asNumber, asRow, asRows, asText, type Row } from './untyped'

interface Run {
  file: string
  /** as it stands in the run's own object, else null */
  domain: string | null
  model: string
  index: Map<string, Row>
}

/** Domains of the benchmark, for files that name theirs only in their own name. */
const DOMAINS = /(?:^|[^a-z])(airline|retail|telecom(?:[-_]workflow)?|banking(?:_knowledge)?|mock)(?:[^a-z]|$)/i

export class SimulationResults {
  private readonly runs = new Map<string, Run>()
  private readonly seen = new Set<string>()
  private readonly taker: RolloutTaker

  constructor(private readonly intake: Intake) {
    this.taker = new RolloutTaker(intake.draft, intake.ladder)
  }

  /** What a folder's simulations were run with. */
  run(row: Row, file: string): void {
    const run = runOf(row, file)
    for (const entry of asRows(row.simulation_index)) {
      const id = asKey(entry.id)
      if (id !== null) run.index.set(id, entry)
    }
    this.runs.set(folderOf(file), run)
    this.tasks(row, run)
  }

  /** The simulations of one file. */
  open({ name, outer }: FileFacts): (row: Row) => string | null {
    const known = outer === null ? this.runs.get(folderOf(name).replace(/(?:^|\/)simulations$/, '')) : undefined
    const run = known ?? runOf(outer ?? {}, name)
    if (outer !== null) this.tasks(outer, run)
    return (row) => this.take(row, run)
  }

  /** Tools and tasks of a run, as far as it keeps them. */
  private tasks(row: Row, run: Run): void {
    const tools = asRow(asRow(row.info)?.environment_info)?.tool_defs
    tellTools(
      this.intake.draft,
      run.domain ?? placeIn(run.file),
      asRow(tools) === null ? tools : Object.values(asRow(tools) ?? {}),
    )
    for (const task of asRows(row.tasks)) {
      const key = asKey(task.id)
      const place = run.domain ?? placeIn(run.file)
      const own = asText(asRow(asRow(task.user_scenario)?.instructions)?.domain) ?? place
      if (key === null || this.intake.draft.has(own, key)) continue
      const reason = addScenarioTask(this.intake.draft, task, place)
      if (reason !== null) this.intake.skip(run.file, reason, null)
    }
  }

  private take(row: Row, run: Run): string | null {
    const id = asKey(row.id)
    if (id !== null && this.seen.has(id)) return 'a simulation that stands twice'
    const messages = simulationMessages(row)
    const opening = messages.find(({ role }) => role === 'user')
    const task = asKey(row.task_id) ?? promptKey(contentText(opening?.content))
    if (task === null) return 'a simulation without a task_id or a word of its user'
    const told = asRow(row.reward_info)
    const { status, error } = simulationEnd(row)
    const reason = this.taker.take({
      environment: asText(row.domain) ?? run.domain ?? placeIn(run.file),
      task,
      about: {},
      model: run.model,
      version: null,
      reward: rewardValue(told === null ? run.index.get(id ?? '')?.reward : told.reward),
      components: rewardParts(told),
      status,
      error,
      messages,
      seconds: asNumber(row.duration),
    })
    if (reason === null && id !== null) this.seen.add(id)
    return reason
  }

  finish(): void {
    for (const run of this.runs.values()) {
      for (const [id, entry] of run.index) {
        if (this.seen.has(id)) continue
        const reason = this.take({ ...entry, reward_info: { reward: entry.reward } }, run)
        if (reason !== null) this.intake.skip(run.file, reason, null)
      }
    }
    this.taker.finish()
  }
}

function runOf(row: Row, file: string): Run {
  const info = asRow(row.info) ?? {}
  const agent = asRow(info.agent_info) ?? {}
  const llm = asText(agent.llm) ?? asText(row.model)
  const kind = asText(agent.implementation)
  const special = kind !== null && kind !== 'llm_agent' ? ` (${kind})` : ''
  return {
    file,
    domain: asText(asRow(info.environment_info)?.domain_name) ?? asText(row.domain),
    model: llm === null ? stemOf(file) : `${llm}${special}`,
    index: new Map(),
  }
}

/** The domain that a file's name holds, else its stem. */
function placeIn(file: string): string {
  const stem = stemOf(file)
  return DOMAINS.exec(stem)?.[1]?.toLowerCase() ?? stem
}

function folderOf(name: string): string {
  return name.split(/[\\/]/).slice(0, -1).join('/')
}
