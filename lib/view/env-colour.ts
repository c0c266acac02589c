/* Owns which of the twelve colours an environment wears. Invariant: by order in the task set, stable for a run;
   with more than twelve, the eleven with most tasks keep theirs and the rest share `env-other`. */

/** What is needed to give out colours: the place in the task set and the size. */
export interface ColouredEnvironment {
  id: string
  tasks: number
}

/** Environments in the task set's order to a CSS colour each, as `var(--env-n)`. O(n log n). */
export function envColours(environments: readonly ColouredEnvironment[]): Map<string, string> {
  const keep =
    environments.length <= 12
      ? environments
      : [...environments].sort((a, b) => b.tasks - a.tasks || (a.id < b.id ? -1 : 1)).slice(0, 11)
  const kept = new Set(keep.map((environment) => environment.id))
  const colours = new Map<string, string>()
  let next = 1
  for (const { id } of environments) {
    colours.set(id, kept.has(id) ? `var(--env-${next})` : 'var(--env-other)')
    if (kept.has(id)) next += 1
  }
  return colours
}
