/**
 * From a task-set body to checked, normalised content with its fingerprint.
 * Owns: what makes two task sets the same (names apart). Throws ServiceError naming field and value.
 */
import { createHash } from 'node:crypto'
import type { EnvironmentInput, TaskInput, TaskSetInput } from '@/lib/contract/task-set'
import type { EngineEnvironment, EngineTask, EngineTool } from '@/lib/engine/task-set'
import { type Issue, ServiceError } from './service-error'

interface CheckedTask extends EngineTask {
  payload: unknown
  contentHash: string
}

export interface CheckedTaskSet {
  name: string
  fingerprint: string
  environments: (EngineEnvironment & { name: string })[]
  tasks: CheckedTask[]
}

/** `place` names where a part of the input was read: "tasks.3.key" unless it says otherwise. */
export function checkTaskSet(input: TaskSetInput, place = (path: string) => path): CheckedTaskSet {
  const issues: Issue[] = []
  const environmentAt = new Map<string, number>()
  for (const [index, environment] of input.environments.entries()) {
    if (environmentAt.has(environment.key))
      issues.push({ path: place(`environments.${index}.key`), message: `"${environment.key}" is there twice` })
    environmentAt.set(environment.key, index)
  }
  const seen = new Set<string>()
  const tasks: CheckedTask[] = []
  for (const [index, task] of input.tasks.entries()) {
    const environment = environmentAt.get(task.environment)
    const name = `${task.environment}\u0000${task.key}`
    if (environment === undefined)
      issues.push({
        path: place(`tasks.${index}.environment`),
        message: `"${task.environment}" is no environment of this set`,
      })
    else if (seen.has(name))
      issues.push({
        path: place(`tasks.${index}.key`),
        message: `"${task.key}" is there twice in "${task.environment}"`,
      })
    else tasks.push(checkedTask(task, environment))
    seen.add(name)
  }
  const first = issues[0]
  if (first !== undefined) {
    throw new ServiceError(
      422,
      'invalid',
      `The task set cannot be registered: ${first.path}: ${first.message}.`,
      issues.slice(0, 50),
    )
  }
  const environments = input.environments.map(checkedEnvironment)
  const hash = createHash('sha256').update(JSON.stringify(environments))
  for (const task of tasks) hash.update(task.contentHash)
  return { name: input.name, fingerprint: hash.digest('hex'), environments, tasks }
}

function checkedEnvironment(input: EnvironmentInput): EngineEnvironment & { name: string } {
  return {
    key: input.key,
    name: input.name ?? input.key,
    tools: (input.tools ?? []).map(
      (tool): EngineTool => ({
        name: tool.name,
        role: tool.role ?? null,
        description: tool.description ?? null,
        parameters: parameterNames(tool.parameters),
      }),
    ),
    state: input.state ?? [],
    verifier: { kind: input.verifier?.kind ?? null, checks: input.verifier?.checks ?? [] },
    rewardRange: input.rewardRange ?? null,
    horizon: input.horizon ?? null,
    maxConcurrent: input.maxConcurrent ?? null,
  }
}

/** Names from a list, or from the properties of a JSON schema. */
function parameterNames(parameters: string[] | Record<string, unknown> | undefined): string[] {
  if (parameters === undefined) return []
  if (Array.isArray(parameters)) return parameters
  const properties = parameters.properties
  return Object.keys(typeof properties === 'object' && properties !== null ? properties : parameters)
}

function checkedTask(input: TaskInput, environment: number): CheckedTask {
  const task = {
    environment,
    key: input.key,
    text: input.text ?? null,
    tools: input.tools ?? [],
    state: input.state ?? [],
    checks: input.checks ?? [],
    payload: input.payload ?? null,
  }
  const contentHash = createHash('sha256').update(JSON.stringify(task)).digest('hex').slice(0, 32)
  return { ...task, contentHash }
}
