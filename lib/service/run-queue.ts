/**
 * One call at a time a run in this process: calls for the same run go one after the other, others in parallel.
 * The database's lock (store/run-lock) does the same between processes. Owns: who is next.
 * Invariants: a failed call never blocks the next. Calls of one kind keep their order; those that change the run go before those
 * that only look at it, so that a trainer waits for the look that is going on and for no other; a look waits for BEFORE_A_LOOK changes
 * at most, so that a busy trainer starves no page.
 */
export type Turn = 'change' | 'look'

const BEFORE_A_LOOK = 8

interface Lane {
  waiting: Record<Turn, (() => Promise<void>)[]>
  /** changes since the last look */
  changes: number
  going: Promise<void>
}

export class RunQueue {
  private readonly lanes = new Map<string, Lane>()

  run<T>(run: string, work: () => Promise<T>, turn: Turn = 'change'): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const call = async () => {
        try {
          resolve(await work())
        } catch (cause) {
          reject(cause)
        }
      }
      const lane = this.lanes.get(run)
      if (lane !== undefined) {
        lane.waiting[turn].push(call)
        return
      }
      const opened: Lane = { waiting: { change: [], look: [] }, changes: 0, going: Promise.resolve() }
      opened.waiting[turn].push(call)
      this.lanes.set(run, opened)
      opened.going = this.work(run, opened)
    })
  }

  private async work(run: string, lane: Lane): Promise<void> {
    for (let call = nextOf(lane); call !== undefined; call = nextOf(lane)) await call()
    this.lanes.delete(run)
  }

  /** Calls that wait or are worked on. */
  waiting(): number {
    let calls = 0
    for (const { waiting } of this.lanes.values()) calls += 1 + waiting.change.length + waiting.look.length
    return calls
  }

  /** Settles when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.lanes.size > 0) await Promise.all([...this.lanes.values()].map(({ going }) => going))
  }
}

function nextOf(lane: Lane): (() => Promise<void>) | undefined {
  const { change, look } = lane.waiting
  const looks = change.length === 0 || (look.length > 0 && lane.changes >= BEFORE_A_LOOK)
  lane.changes = looks ? 0 : lane.changes + 1
  return looks ? look.shift() : change.shift()
}
