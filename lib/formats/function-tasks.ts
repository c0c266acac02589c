/**
 * Task sets for function calling: BFCL (questions as turns of messages) and ACEBench (a question as text).
 * A row is a task; reference answers and function documents come in files beside it and are joined by id and by class.
 * Owns: which environment such a task belongs to: its first class, with the tools of all; without classes the kind in
 * the id.
 * Required tools stand in the order of the reference answer.
 */
import { callNames } from './call-names'
import { classDocs, type FunctionDoc, functionDoc } from './function-docs'
import type { TaskSetDraft } from './task-set-draft'
import { asList, asRow, asRows, asText, asTexts, type Row } from './untyped'

interface FunctionTask {
  id: string
  row: Row
  classes: string[]
  line: number
  file: string
}

export class FunctionTasks {
  private readonly tasks: FunctionTask[] = []
  private readonly answers = new Map<string, Row>()
  private readonly documents: FunctionDoc[][] = []

  /** Null when taken, else why not. */
  addTask(row: Row, line: number, file: string): string | null {
    const id = asText(row.id)
    if (id === null) return 'a task without an id'
    this.tasks.push({ id, row, classes: asTexts(row.involved_classes), line, file })
    return null
  }

  addAnswer(row: Row): string | null {
    const id = asText(row.id)
    if (id === null) return 'an answer without an id'
    this.answers.set(id, row)
    return null
  }

  /** Opens a document: the functions added next belong together. */
  openDocument(): void {
    this.documents.push([])
  }

  addFunction(row: Row): string | null {
    const doc = functionDoc(row)
    if (doc === null) return 'a function without a name'
    this.documents.at(-1)?.push(doc)
    return null
  }

  /** Puts all tasks into the draft; tells those that do not fit. */
  finish(draft: TaskSetDraft, skip: (file: string, reason: string, line: number) => void): void {
    const docs = classDocs(this.namedFunctions(), this.documents)
    for (const task of this.tasks) {
      const environment = task.classes[0] ?? kindOf(task.id)
      const tools = this.describe(draft, environment, task, docs)
      const checks = this.checks(task)
      draft.verifier(environment, checks.length === 0 ? null : checks.join('+'), checks)
      const state = stateNames(task.row)
      draft.state(environment, state)
      const taken = draft.task({
        environment,
        key: task.id,
        text: questionText(task.row.question),
        tools,
        state,
        checks,
        payload: { ...task.row, answer: this.answers.get(task.id) ?? null },
      })
      if (!taken) skip(task.file, `the task key is taken or too long in ${environment}`, task.line)
    }
  }

  /** By class, how often tasks name a function for it ("Class.function"). */
  private namedFunctions(): Map<string, Map<string, number>> {
    const named = new Map<string, Map<string, number>>()
    for (const task of this.tasks) {
      for (const owner of task.classes) if (!named.has(owner)) named.set(owner, new Map())
      for (const [owner, name] of this.ownedNames(task)) {
        const counts = named.get(owner)
        counts?.set(name, (counts.get(name) ?? 0) + 1)
      }
    }
    return named
  }

  private ownedNames(task: FunctionTask): [string, string][] {
    const names = asTexts(task.row.path).map((path): [string, string] => {
      const [owner = '', name = ''] = path.split('.')
      return [owner, name]
    })
    const [only, ...others] = task.classes
    if (only === undefined || others.length > 0) return names
    return [...names, ...this.reference(task).map((name): [string, string] => [only, name])]
  }

  /** Tells the environment of this task's functions; gives the required ones, else the allowed ones. */
  private describe(
    draft: TaskSetDraft,
    environment: string,
    task: FunctionTask,
    docs: Map<string, FunctionDoc[]>,
  ): string[] {
    const own = asRows(task.row.function).flatMap((item) => functionDoc(item) ?? [])
    const allowed = own.length > 0 ? own : task.classes.flatMap((owner) => docs.get(owner) ?? [])
    for (const doc of allowed) draft.tool(environment, doc.name, doc.description, doc.parameters)
    const known = new Set(allowed.map((doc) => doc.name))
    const required = this.reference(task).filter((name) => known.size === 0 || known.has(name))
    if (required.length > 0) for (const name of required) draft.tool(environment, name, null, [])
    return required.length > 0 ? required : [...known]
  }

  private reference(task: FunctionTask): string[] {
    const answer = this.answers.get(task.id)
    if (answer === undefined) return []
    const owners = new Set(task.classes)
    const steps = asList(answer.mile_stone)
    return callNames(steps ?? answer.ground_truth).map((name) => {
      const [owner, ...rest] = name.split('.')
      return rest.length > 0 && owner !== undefined && owners.has(owner) ? rest.join('.') : name
    })
  }

  /** What is compared, as far as the files tell: the end state, the calls, the milestones. */
  private checks(task: FunctionTask): string[] {
    const answer = this.answers.get(task.id)
    const checks: string[] = []
    if (asRow(task.row.initial_config) !== null) checks.push('end state')
    if (answer !== undefined && asList(answer.mile_stone) !== null) checks.push('milestones')
    else if (answer !== undefined) checks.push('calls')
    return checks
  }
}

function kindOf(id: string): string {
  const kind = id.replace(/([_-]\d+)+$/, '')
  return kind === '' ? 'tasks' : kind
}

function questionText(question: unknown): string {
  if (typeof question === 'string') return question
  const turns = asList(question) ?? []
  return turns
    .flatMap((turn) => asList(turn) ?? [turn])
    .flatMap((message) => asText(asRow(message)?.content) ?? [])
    .join('\n')
}

/** "Class.field" of the state that a task starts from; a scalar or list state is named by its class alone. */
function stateNames(row: Row): string[] {
  const config = asRow(row.initial_config) ?? {}
  return Object.entries(config).flatMap(([owner, state]) => {
    const fields = Object.keys(asRow(state) ?? {})
    return fields.length === 0 ? [owner] : fields.map((field) => `${owner}.${field}`)
  })
}
