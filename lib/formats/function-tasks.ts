/**
 * Task sets for function calling: BFCL (questions as turns of messages) and ACEBench (a question as text).
 * A row is a task; reference answers and function documents come in files beside it and are joined by id and by class.
 * Owns: which environment such a task belongs to: its first class, with the tools of all; without classes the kind in
 * the id; apart by language, where two languages count their tasks alike.
 * Required tools stand in the order of the reference answer, of its first alternative where there are several.
 */
import { callNames } from './call-names'
import { comparedStates, initialStates } from './compared-state'
import { classDocs, type FunctionDoc, functionDoc } from './function-docs'
import { inLanguage, languageOf } from './task-language'
import type { TaskSetDraft } from './task-set-draft'
import { asList, asRow, asRows, asText, asTexts, type Row } from './untyped'

interface FunctionTask {
  id: string
  /** null for a benchmark that does not come in several */
  language: string | null
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
    const language = typeof row.question === 'string' ? languageOf(file, row.question) : null
    this.tasks.push({ id, language, row, classes: asTexts(row.involved_classes), line, file })
    return null
  }

  addAnswer(row: Row, file: string): string | null {
    const id = asText(row.id)
    if (id === null) return 'an answer without an id'
    const language = languageOf(file, JSON.stringify(row.ground_truth))
    this.answers.set(answerKey(id, language), row)
    // the only answer of this id, as far as is known
    if (!this.answers.has(id)) this.answers.set(id, row)
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
      const environment = inLanguage(task.classes[0] ?? kindOf(task.id), task.language)
      const answer = this.answerOf(task)
      const tools = this.describe(draft, environment, task, docs)
      const kind = kindsOfCheck(task.row, answer)
      const states = comparedStates(answer?.ground_truth, task.classes)
      const compared = states.length > 0 ? states.map(({ owner }) => owner) : task.classes
      const checks = kind.includes('end state') ? [...kind, ...compared.map((owner) => `${owner} state`)] : kind
      draft.verifier(environment, kind.length === 0 ? null : kind.slice(0, 2).join('+'), checks)
      const state = [...new Set([...initialStates(task.row), ...states.flatMap(({ fields }) => fields)])]
      draft.state(environment, state)
      const taken = draft.task({
        environment,
        key: task.id,
        text: questionText(task.row.question),
        tools,
        state,
        checks,
        payload: { ...task.row, answer: answer ?? null },
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
    const excluded = new Set(asTexts(task.row.excluded_function))
    const offered = own.length > 0 ? own : task.classes.flatMap((owner) => docs.get(owner) ?? [])
    const allowed = offered.filter(({ name }) => !excluded.has(name))
    for (const doc of allowed) draft.tool(environment, doc.name, doc.description, doc.parameters)
    const known = new Set(allowed.map((doc) => doc.name))
    const required = this.reference(task).filter((name) => known.size === 0 || known.has(name))
    if (required.length > 0) for (const name of required) draft.tool(environment, name, null, [])
    return required.length > 0 ? required : [...known]
  }

  private reference(task: FunctionTask): string[] {
    const answer = this.answerOf(task)
    if (answer === undefined) return []
    const owners = new Set(task.classes.map((owner) => owner.toLowerCase()))
    return callNames(firstWay(task.row, answer)).map((name) => {
      const [owner, ...rest] = name.split('.')
      return rest.length > 0 && owner !== undefined && owners.has(owner.toLowerCase()) ? rest.join('.') : name
    })
  }

  private answerOf({ id, language }: FunctionTask): Row | undefined {
    const own = language === null ? undefined : this.answers.get(answerKey(id, language))
    return own ?? this.answers.get(id)
  }
}

function answerKey(id: string, language: string): string {
  return `${id} (${language})`
}

/** Milestones and ACEBench's answers may be given in several ways, each a list: the first one stands for all. */
function firstWay(row: Row, answer: Row): unknown {
  const steps = asList(answer.mile_stone)
  if (steps !== null) return asList(steps[0]) ?? steps
  return typeof row.question === 'string'
    ? (asList(answer.ground_truth)?.[0] ?? answer.ground_truth)
    : answer.ground_truth
}

/** What is compared, as far as the files tell: the end state, the milestones or the calls; where no call is due, that none is made. */
function kindsOfCheck(row: Row, answer: Row | undefined): string[] {
  const checks: string[] = []
  if (asRow(row.initial_config) !== null) checks.push('end state')
  // a question in one text is asked by ACEBench, which compares calls where it compares no state
  if (answer === undefined) return checks.length === 0 && typeof row.question === 'string' ? ['calls'] : checks
  checks.push(asList(answer.mile_stone) === null ? 'calls' : 'milestones')
  const silent = (asList(answer.ground_truth) ?? []).some((turn) => asList(turn)?.length === 0)
  if (asRow(row.missed_function) !== null) checks.push('waits for a missing function')
  else if (silent) checks.push('asks where no call can be made')
  return checks
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
