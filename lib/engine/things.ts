/**
 * The named things that a task uses, and which it may share with others: inside its environment (within) and with
 * tasks of other environments (cross).
 * Owns: kinds, names and amounts. Amount = count / sqrt(length) for tools and roles, 1 / sqrt(number) for state and checks,
 * 1 for pattern and length class. Must never know: which things turn out to be shared.
 * Source: plain equal names across environments are a bad key, the name with the role of the required tool is a good one.
 */
import { actsOn, roleOf } from './roles'
import type { EngineEnvironment, EngineTask, Role } from './task-set'

export const THING_KINDS = ['tool', 'role', 'state', 'check', 'pattern', 'length'] as const
export type ThingKind = (typeof THING_KINDS)[number]

export interface Thing {
  kind: ThingKind
  /** as people read it: "tool get_user", "state orders", "read of order", "2 calls" */
  name: string
  amount: number
}

/** What the tools of one environment are, looked up by name; a tool that the environment does not declare is read by its name alone. */
export interface Toolbox {
  roles: Map<string, Role>
  rivals: Map<Role, number>
}

export function toolboxOf(environment: EngineEnvironment): Toolbox {
  const roles = new Map<string, Role>()
  const rivals = new Map<Role, number>()
  for (const tool of environment.tools) {
    if (roles.has(tool.name)) continue
    const role = roleOf(tool)
    roles.set(tool.name, role)
    rivals.set(role, (rivals.get(role) ?? 0) + 1)
  }
  return { roles, rivals }
}

export function roleIn(toolbox: Toolbox, name: string): Role {
  return toolbox.roles.get(name) ?? roleOf({ name, role: null, description: null, parameters: [] })
}

/** Class of a task's number of tool calls. */
export function lengthClass(length: number): string {
  if (length === 1) return '1 call'
  if (length <= 3) return `${length} calls`
  if (length <= 5) return '4 to 5 calls'
  return length <= 8 ? '6 to 8 calls' : '9 calls or more'
}

/** What a tool is to others that never met its name: its role, and what it acts on or how many rivals it has. */
export function signature(toolbox: Toolbox, name: string): string {
  const role = roleIn(toolbox, name)
  const noun = actsOn(name)
  if (noun !== null) return `${role} of ${noun}`
  const rivals = toolbox.rivals.get(role) ?? 1
  return rivals <= 1 ? `${role}, the only one` : rivals <= 3 ? `${role}, one of few` : `${role}, one of many`
}

export const withinToolName = (name: string): string => `tool ${name}`
export const crossToolName = (toolbox: Toolbox, name: string): string => `${name} as ${roleIn(toolbox, name)}`

function counted(kind: ThingKind, names: readonly string[]): Thing[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const scale = Math.sqrt(names.length)
  return [...counts].map(([name, count]) => ({ kind, name, amount: count / scale }))
}

function once(kind: ThingKind, names: readonly string[]): Thing[] {
  return counted(kind, [...new Set(names)])
}

/** Things that tasks of one environment share. */
export function withinThings(task: EngineTask, pattern: string): Thing[] {
  const things = counted('tool', task.tools.map(withinToolName))
  things.push(
    ...once(
      'state',
      task.state.map((key) => `state ${key}`),
    ),
    ...once(
      'check',
      task.checks.map((key) => `check ${key}`),
    ),
  )
  if (task.tools.length > 0) {
    things.push({ kind: 'pattern', name: `pattern ${pattern}`, amount: 1 })
    things.push({ kind: 'length', name: lengthClass(task.tools.length), amount: 1 })
  }
  return things
}

/** Things that tasks of different environments share: role keys, role signatures, patterns, length classes. */
export function crossThings(task: EngineTask, toolbox: Toolbox, pattern: string): Thing[] {
  const things = counted(
    'tool',
    task.tools.map((name) => crossToolName(toolbox, name)),
  )
  things.push(
    ...counted(
      'role',
      task.tools.map((name) => signature(toolbox, name)),
    ),
  )
  if (task.tools.length > 0) {
    things.push({ kind: 'pattern', name: `pattern ${pattern}`, amount: 1 })
    things.push({ kind: 'length', name: lengthClass(task.tools.length), amount: 1 })
  }
  return things
}
