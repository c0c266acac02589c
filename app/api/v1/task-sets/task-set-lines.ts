/**
 * NDJSON of a task set to its body: environments first, then one task a line; a line with `environment` is a task.
 * A first line with only `name` names the set; so does `?name=`.
 */
export function taskSetOfLines(lines: readonly unknown[], name: string | null): unknown {
  const objects = lines.filter((line): line is Record<string, unknown> => typeof line === 'object' && line !== null)
  const named = objects.find((line) => typeof line.name === 'string' && line.key === undefined)
  return {
    name: name ?? named?.name ?? 'task set',
    environments: objects.filter((line) => line !== named && line.environment === undefined),
    tasks: objects.filter((line) => line.environment !== undefined),
  }
}
