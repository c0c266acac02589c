/**
 * Reports that the server has not acknowledged yet.
 * Owns: the queue of rollouts and scores, in memory, and what answers ask to roll out further. Must never know: how they came about.
 * Invariant: a report leaves only after the server answered for it; a repeated one is the server's duplicate, told by its id.
 */
import { z } from 'zod'
import { pickAnswer } from './demo-trainer-report'
import { call, type Transport } from './demo-trainer-server'

const MOST_AT_ONCE = 256

const furtherAnswer = z.object({
  continue: z.array(z.object({ lease: z.string(), rollouts: z.number().int() })).default([]),
  more: z.array(pickAnswer).default([]),
})
export type Further = z.infer<typeof furtherAnswer>

export class Outbox {
  private rollouts: object[] = []
  private scores: object[] = []
  private further: Further = { continue: [], more: [] }

  constructor(
    private readonly transport: Transport,
    private readonly run: string,
    private readonly told: (line: string) => void,
  ) {}

  addRollouts(rollouts: readonly object[]): void {
    this.rollouts.push(...rollouts)
  }

  addScore(score: object): void {
    this.scores.push(score)
  }

  /** What answers asked for since this was last called: second stages, and further picks. */
  takeFurther(): Further {
    const { further } = this
    this.further = { continue: [], more: [] }
    return further
  }

  get waiting(): number {
    return this.rollouts.length + this.scores.length
  }

  /** Sends all that waits. @throws ServerAway (what is left stays) or Refused. */
  async flush(): Promise<void> {
    while (this.rollouts.length > 0) {
      const part = this.rollouts.slice(0, MOST_AT_ONCE)
      const answer = await call(this.transport, 'POST', `/api/v1/runs/${this.run}/rollouts`, part)
      this.rollouts.splice(0, part.length)
      const { continue: goesOn, more } = furtherAnswer.parse(answer ?? {})
      this.further.continue.push(...goesOn)
      this.further.more.push(...more)
      const rejected = (answer as { rejected?: { reason?: string }[] } | null)?.rejected ?? []
      for (const { reason } of rejected.slice(0, 1))
        this.told(
          `${rejected.length} ${rejected.length === 1 ? 'rollout was' : 'rollouts were'} rejected: ${reason ?? 'no reason given'}`,
        )
    }
    while (this.scores.length > 0) {
      await call(this.transport, 'POST', `/api/v1/runs/${this.run}/scores`, this.scores[0])
      this.scores.shift()
    }
  }
}
