/**
 * A task set while it is read: environments grow as tasks name them.
 * Invariant: what `finish` gives fits the contract's limits; a key is used once in its environment; order is the file's.
 */
import type { EnvironmentInput, TaskInput, TaskSetInput } from '@/lib/contract/task-set'

type Tool = NonNullable<EnvironmentInput['tools']>[number]

interface Draft {
  key: string
  tools: Map<string, Tool & { seen: Set<string> }>
  state: Set<string>
  kinds: Set<string>
  checks: Set<string>
  tasks: Map<string, TaskInput>
}

const KEY_LIMIT = 500
const TEXT_LIMIT = 100_000
const DESCRIPTION_LIMIT = 4000
const LIST_LIMIT = 2000

export class TaskSetDraft {
  private readonly drafts = new Map<string, Draft>()

  /** Names a tool of an environment; what was said before stays, parameters are joined. */
  tool(environment: string, name: string, description: string | null, parameters: string[]): void {
    if (name.length === 0 || name.length > KEY_LIMIT) return
    const tools = this.draft(environment).tools
    const tool = tools.get(name) ?? { name, seen: new Set<string>() }
    if (tool.description === undefined && description !== null)
      tool.description = description.slice(0, DESCRIPTION_LIMIT)
    for (const parameter of parameters) tool.seen.add(parameter)
    if (tools.size < LIST_LIMIT) tools.set(name, tool)
  }

  state(environment: string, names: string[]): void {
    for (const name of names) this.draft(environment).state.add(name)
  }

  verifier(environment: string, kind: string | null, checks: string[]): void {
    const draft = this.draft(environment)
    if (kind !== null) draft.kinds.add(kind)
    for (const check of checks) draft.checks.add(check)
  }

  /** False, and nothing changed, where the key is taken or does not fit. */
  task(task: TaskInput): boolean {
    const tooLong = [task.key, task.environment].some((key) => key.length === 0 || key.length > KEY_LIMIT)
    if (tooLong) return false
    const tasks = this.draft(task.environment).tasks
    if (tasks.has(task.key)) return false
    tasks.set(task.key, {
      ...task,
      ...(task.text === undefined ? {} : { text: task.text.slice(0, TEXT_LIMIT) }),
      ...(task.tools === undefined ? {} : { tools: task.tools.slice(0, LIST_LIMIT) }),
      ...(task.state === undefined ? {} : { state: task.state.slice(0, LIST_LIMIT) }),
      ...(task.checks === undefined ? {} : { checks: task.checks.slice(0, LIST_LIMIT) }),
    })
    return true
  }

  has(environment: string, key: string): boolean {
    return this.drafts.get(environment)?.tasks.has(key) ?? false
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
      name: name.slice(0, 200),
      environments: used.map(environmentOf),
      tasks: used.flatMap((draft) => [...draft.tasks.values()]),
    }
  }

  private draft(key: string): Draft {
    const known = this.drafts.get(key)
    if (known !== undefined) return known
    const draft: Draft = {
      key,
      tools: new Map(),
      state: new Set(),
      kinds: new Set(),
      checks: new Set(),
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
  }
}
