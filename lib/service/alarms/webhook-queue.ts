/**
 * Deliveries on their way: one after the other a run, tried again with growing pauses. Must never know: what is told.
 * Invariants: whoever puts one in never waits; a dead receiver holds up no other run; what waits is bounded, the oldest goes first;
 * nothing in here keeps a process alive, and what waits is lost with it.
 */
import type { Posted } from './webhook-post'

export interface Delivery {
  /** one try */
  post: () => Promise<Posted>
  /** told after each try */
  tried: (tries: number, posted: Posted) => Promise<void>
}

export interface Pace {
  /** before the second try, the third, … in milliseconds; a quarter more or less */
  pauses: readonly number[]
  timeoutMs: number
  most: number
}

export const PACE: Pace = { pauses: [2_000, 15_000, 120_000], timeoutMs: 10_000, most: 50 }

export class WebhookQueue {
  private readonly lanes = new Map<string, Delivery[]>()
  private readonly dropped = new WeakSet<Delivery>()
  private stopped = false

  /** `random` gives numbers in [0, 1), for pauses that do not fall together. */
  constructor(
    readonly pace: Pace = PACE,
    private readonly random: () => number = Math.random,
  ) {}

  put(run: string, delivery: Delivery): void {
    const lane = this.lanes.get(run)
    if (lane === undefined) {
      const opened = [delivery]
      this.lanes.set(run, opened)
      void this.work(run, opened)
      return
    }
    lane.push(delivery)
    // the first is on its way
    if (lane.length > this.pace.most) lane.splice(1, 1)
  }

  /** What waits is given up. */
  stop(): void {
    this.stopped = true
    this.lanes.clear()
  }

  /** Of that run: the address has changed, or the run is gone. */
  drop(run: string): void {
    const lane = this.lanes.get(run) ?? []
    for (const delivery of lane) this.dropped.add(delivery)
    // the first is on its way: it is not tried again
    lane.splice(1)
  }

  private async work(run: string, lane: Delivery[]): Promise<void> {
    for (let delivery = lane[0]; delivery !== undefined && !this.stopped; delivery = lane[0]) {
      await this.deliver(delivery)
      lane.shift()
    }
    this.lanes.delete(run)
  }

  private async deliver(delivery: Delivery): Promise<void> {
    const { post, tried } = delivery
    const over = () => this.stopped || this.dropped.has(delivery)
    for (let tries = 1; !over(); tries += 1) {
      const posted = await post()
      if (over()) return
      await tried(tries, posted)
      const pause = this.pace.pauses[tries - 1]
      if (posted.error === null || pause === undefined) return
      await new Promise<void>((done) => setTimeout(done, pause * (0.75 + this.random() / 2)).unref())
    }
  }
}
