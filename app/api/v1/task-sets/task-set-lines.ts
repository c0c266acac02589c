/**
 * NDJSON of a task set to its body: environments first, then one task a line; a line with `environment` is a task.
 * A first line with only `name` names the set; so does `?name=`.
 */
export function taskSetOfLines(lines: readonly unknown[], name: string | null): unknown {
  const objects = lines.filter(isObject)
  const named = objects.find((line) => typeof line.name === 'string' && line.key === undefined)
  return {
    name: name ?? named?.name ?? 'task set',
    environments: objects.filter((line) => line !== named && line.environment === undefined),
    // a line that is no object goes with the tasks, to be refused by its number there
    tasks: lines.filter((line) => !isObject(line) || line.environment !== undefined),
  }
}

const isObject = (line: unknown): line is Record<string, unknown> => typeof line === 'object' && line !== null
