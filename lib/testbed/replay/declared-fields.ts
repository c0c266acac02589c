/**
 * Which fields of a rollout belong to its task: what was declared before any rollout, such as a difficulty or a category.
 * Invariant: a field counts only if no two rollouts of any task ever differ in it, there are as many further rollouts of a task as
 * tasks (so that it had every chance to differ), it tells tasks apart, and it is shared (half as many values as tasks at most).
 * A field that follows from the outcome differs as outcomes do, and falls out. Nothing here knows a field's name.
 */
interface Rolled {
  fields: Readonly<Record<string, string>>
}

export interface DeclaredFields {
  names: string[]
  /** "name value" of each declared field of a task */
  of(identity: string): string[]
}

export function declaredFields<R extends Rolled>(
  rollouts: readonly R[],
  identityOf: (rollout: R) => string,
): DeclaredFields {
  const values = new Map<string, Map<string, string>>()
  const broken = new Set<string>()
  const again = new Map<string, number>()
  for (const rollout of rollouts) {
    const identity = identityOf(rollout)
    for (const [name, value] of Object.entries(rollout.fields)) {
      if (broken.has(name)) continue
      const known = values.get(name) ?? new Map<string, string>()
      values.set(name, known)
      const before = known.get(identity)
      if (before === undefined) known.set(identity, value)
      else if (before === value) again.set(name, (again.get(name) ?? 0) + 1)
      else broken.add(name)
    }
  }
  const names = [...values]
    .filter(([name, known]) => {
      const distinct = new Set(known.values()).size
      return !broken.has(name) && (again.get(name) ?? 0) >= known.size && distinct > 1 && distinct <= known.size / 2
    })
    .map(([name]) => name)
    .sort()
  return {
    names,
    of: (identity) =>
      names.flatMap((name) => {
        const value = values.get(name)?.get(identity)
        return value === undefined ? [] : [`${name} ${value}`]
      }),
  }
}
