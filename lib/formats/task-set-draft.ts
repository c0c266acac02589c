/**
 * A task set while it is read: environments grow as tasks name them.
 * Invariant: what `finish` gives fits the contract's limits; a key is used once in its environment; order is the file's.
 */

import type { EnvironmentInput, TaskInput, TaskSetInput } from '@/lib/contract/task-set'
import { storable } from './fitting'

type Tool = NonNullable<EnvironmentInput['tools']>[number]

interface Draft {
  key: string
  tools: Map<string, Tool & { seen: Set<string> }>
  state: Set<string>
  kinds: Set<string>
  checks: Set<string>
  range: [low: number, high: number] | null
  tasks: Map<string, TaskInput>
}

const KEY_LIMIT = 500
const TEXT_LIMIT = 100_000
const DESCRIPTION_LIMIT = 4000
const LIST_LIMIT = 2000
const PARAMETER_LIMIT = 500
const ENVIRONMENT_LIMIT = 10_000
const TASK_LIMIT = 1_000_000
/** all texts together, in characters; those beyond keep a beginning, so that a source of endless prompts fits the memory */
const ALL_TEXTS = 64 * 2 ** 20
const SHORT_TEXT = 2000

export class TaskSetDraft {
  private readonly drafts = new Map<string, Draft>()
  private texts = 0
  private tasks = 0
  /** texts that kept only their beginning */
  cutTexts = 0

  /** Names a tool of an environment; what was said before stays, parameters are joined. */
  tool(environment: string, name: string, description: string | null, parameters: string[]): void {
    if (name.length === 0 || name.length > KEY_LIMIT) return
    const tools = this.draft(environment)?.tools
    if (tools === undefined) return
    const known = tools.get(storable(name))
    const tool = known ?? { name: storable(name), seen: new Set<string>() }
    if (tool.description === undefined && description !== null)
      tool.description = description.slice(0, DESCRIPTION_LIMIT)
    for (const parameter of parameters) if (tool.seen.size < PARAMETER_LIMIT) tool.seen.add(parameter)
    if (known === undefined && tools.size < LIST_LIMIT) tools.set(tool.name, tool)
  }

  state(environment: string, names: string[]): void {
    const state = this.draft(environment)?.state
    for (const name of names) if (state !== undefined && state.size < LIST_LIMIT) state.add(name)
  }

  verifier(environment: string, kind: string | null, checks: string[]): void {
    const draft = this.draft(environment)
    if (draft === null) return
    if (kind !== null && draft.kinds.size < LIST_LIMIT) draft.kinds.add(kind)
    for (const check of checks) if (draft.checks.size < LIST_LIMIT) draft.checks.add(check)
  }

  /** Declares the range of an environment's rewards; beside one that was declared before, the one that holds both. */
  rewardRange(environment: string, low: number, high: number): void {
    const draft = this.draft(environment)
    if (draft === null) return
    const known = draft.range ?? [low, high]
    draft.range = [Math.min(low, known[0]), Math.max(high, known[1])]
  }

  /** False, and nothing changed, where the key is taken or does not fit. */
  task(given: TaskInput): boolean {
    const tooLong = [given.key, given.environment].some((key) => key.length === 0 || key.length > KEY_LIMIT)
    if (tooLong || this.tasks >= TASK_LIMIT) return false
    const task = { ...given, key: storable(given.key), environment: storable(given.environment) }
    const tasks = this.draft(task.environment)?.tasks
    if (tasks === undefined || tasks.has(task.key)) return false
    tasks.set(task.key, {
      ...task,
      ...(task.text === undefined ? {} : { text: this.fitText(task.text) }),
      ...(task.tools === undefined ? {} : { tools: task.tools.slice(0, LIST_LIMIT) }),
      ...(task.state === undefined ? {} : { state: task.state.slice(0, LIST_LIMIT) }),
      ...(task.checks === undefined ? {} : { checks: task.checks.slice(0, LIST_LIMIT) }),
    })
    this.tasks += 1
    return true
  }

  has(environment: string, key: string): boolean {
    return this.drafts.get(storable(environment))?.tasks.has(storable(key)) ?? false
  }

  /** Environments that have a task of this key, so far. */
  environmentsOf(key: string): string[] {
    return [...this.drafts.values()].flatMap((draft) => (draft.tasks.has(key) ? [draft.key] : []))
  }

  toolNames(environment: string): string[] {
    return [...(this.drafts.get(environment)?.tools.keys() ?? [])]
  }

  taskOf(environment: string, key: string): TaskInput | null {
    return this.drafts.get(environment)?.tasks.get(key) ?? null
  }

  /** Tasks by environment key, so far. */
  counts(): Map<string, number> {
    return new Map([...this.drafts].map(([key, draft]) => [key, draft.tasks.size]))
  }

  /** Null where no task was read. */
  finish(name: string): TaskSetInput | null {
    const used = [...this.drafts.values()].filter((draft) => draft.tasks.size > 0)
    if (used.length === 0) return null
    return {
      name: storable(name).slice(0, 200) || 'import',
      environments: used.map(environmentOf),
      tasks: used.flatMap((draft) => [...draft.tasks.values()]),
    }
  }

  private fitText(text: string): string {
    const long = Math.min(text.length, TEXT_LIMIT)
    const length = this.texts + long > ALL_TEXTS ? Math.min(long, SHORT_TEXT) : long
    if (length < text.length) this.cutTexts += 1
    this.texts += length
    return text.slice(0, length)
  }

  /** Null where there are too many environments, or its key does not fit. */
  private draft(given: string): Draft | null {
    const key = storable(given)
    const known = this.drafts.get(key)
    if (known !== undefined) return known
    if (this.drafts.size >= ENVIRONMENT_LIMIT || key.length === 0 || key.length > KEY_LIMIT) return null
    const draft: Draft = {
      key,
      tools: new Map(),
      state: new Set(),
      kinds: new Set(),
      checks: new Set(),
      range: null,
      tasks: new Map(),
    }
    this.drafts.set(key, draft)
    return draft
  }
}

function environmentOf(draft: Draft): EnvironmentInput {
  const tools = [...draft.tools.values()].map(({ seen, ...tool }) => ({ ...tool, parameters: [...seen] }))
  const kind = [...draft.kinds].sort().join(' | ')
  return {
    key: draft.key,
    tools,
    state: [...draft.state].slice(0, LIST_LIMIT),
    verifier: { ...(kind === '' ? {} : { kind }), checks: [...draft.checks] },
    ...(draft.range === null ? {} : { rewardRange: draft.range }),
  }
}
