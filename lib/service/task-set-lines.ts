/**
 * NDJSON of a task set: environments first, then one task a line; a line with `environment` is a task. A first line with
 * only `name` names the set. Owns: what each line is, and that every refusal names its line.
 * Invariant: one bad line refuses the whole set, since the same content must give the same set; up to 50 are told at once.
 */
import { z } from 'zod'
import { looseJson } from '@/lib/contract/loose-json'
import {
  type EnvironmentInput,
  environmentInput,
  type TaskInput,
  type TaskSetInput,
  taskInput,
  taskSetInput,
} from '@/lib/contract/task-set'
import type { BodyLine } from './body-lines'
import { type Issue, invalid, ServiceError } from './service-error'

const MOST_TOLD = 50

/** The set's own limits, without its environments and tasks, which are checked line by line. */
const limits = z.object({
  name: taskSetInput.shape.name,
  environments: z.array(z.unknown()).min(1).max(10_000),
  tasks: z.array(z.unknown()).min(1).max(1_000_000),
})

interface ReadTaskSet {
  input: TaskSetInput
  /** "tasks.3.key" as the line that it stands on */
  place: (path: string) => string
}

/** `name`: of the set, above what a line says. Throws ServiceError with the lines that cannot be read. */
export async function readTaskSetLines(lines: AsyncIterable<BodyLine>, name: string | null): Promise<ReadTaskSet> {
  const read = { environments: [] as EnvironmentInput[], tasks: [] as TaskInput[] }
  const numbers = { environments: [] as number[], tasks: [] as number[] }
  const issues: Issue[] = []
  let named: string | null = null
  for await (const { number, text } of lines) {
    const line = looseJson(text)
    if (named === null && isName(line)) {
      named = line.name
      continue
    }
    const kind = isObject(line) && line.environment === undefined ? 'environments' : 'tasks'
    const parsed = (kind === 'tasks' ? taskInput : environmentInput).safeParse(line)
    if (parsed.success) {
      read[kind].push(parsed.data as TaskInput & EnvironmentInput)
      numbers[kind].push(number)
      continue
    }
    issues.push(...issuesOf(number, line === undefined ? null : parsed.error.issues))
    if (issues.length >= MOST_TOLD) break
  }
  refuse(issues.slice(0, MOST_TOLD))
  const input = { name: name ?? named ?? 'task set', ...read }
  const whole = limits.safeParse(input)
  if (!whole.success) throw invalid('task set', whole.error.issues)
  return {
    input,
    place: (path) => {
      const [, kind, index, field] = /^(environments|tasks)\.(\d+)\.(.+)$/.exec(path) ?? []
      const number = kind === 'environments' || kind === 'tasks' ? numbers[kind][Number(index)] : undefined
      return number === undefined ? path : `line ${number}.${field}`
    },
  }
}

function issuesOf(number: number, issues: readonly z.core.$ZodIssue[] | null): Issue[] {
  if (issues === null) return [{ path: `line ${number}`, message: 'is no JSON' }]
  return issues.map(({ path, message }) => ({ path: [`line ${number}`, ...path.map(String)].join('.'), message }))
}

function refuse(issues: Issue[]): void {
  const first = issues[0]
  if (first === undefined) return
  throw new ServiceError(422, 'invalid', `The task set cannot be read. ${first.path}: ${first.message}.`, issues)
}

const isObject = (line: unknown): line is Record<string, unknown> => typeof line === 'object' && line !== null

const isName = (line: unknown): line is { name: string } =>
  isObject(line) && typeof line.name === 'string' && line.key === undefined && line.environment === undefined
