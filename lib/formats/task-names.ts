/**
 * Names of tasks whose ids are positions: two files may count anew and mean other tasks by the same number.
 * Invariant: in one file an id is one task, whatever its prompt (prompts may hold a date); in another file it is the same task
 * only where the prompt is the same too.
 */
export class TaskNames {
  private readonly known = new Map<string, string | null>()
  private readonly inFile = new Map<string, string>()

  /** `promptOf`: the prompt's key (prompt-key.ts), null where there is none; asked once an id and file. */
  name(file: string, environment: string, id: string, promptOf: () => string | null): string {
    const place = JSON.stringify([environment, id, file])
    const given = this.inFile.get(place)
    if (given !== undefined) return given
    const task = JSON.stringify([environment, id])
    const prompt = promptOf()
    const first = this.known.get(task)
    if (first === undefined) this.known.set(task, prompt)
    const same = first === undefined || first === null || prompt === null || first === prompt
    const name = same ? id : `${id} ${prompt}`
    this.inFile.set(place, name)
    return name
  }
}
