/**
 * One writer a run in this process: calls for the same run go one after the other, others in parallel.
 * The database's lock (store/run-lock) does the same between processes. Invariant: a failed call never blocks the next.
 */
export class RunQueue {
  private readonly tails = new Map<string, Promise<unknown>>()

  run<T>(run: string, work: () => Promise<T>): Promise<T> {
    const before = this.tails.get(run) ?? Promise.resolve()
    const result = before.then(work, work)
    const tail = result.catch(() => undefined)
    this.tails.set(run, tail)
    void tail.then(() => {
      if (this.tails.get(run) === tail) this.tails.delete(run)
    })
    return result
  }

  /** Settles when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.tails.size > 0) await Promise.all(this.tails.values())
  }
}
