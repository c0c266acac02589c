/**
 * What this process measures of itself for Prometheus: its memory and event loop, and how long trainers waited.
 * Owns: the registry that lives as long as the process. Must never know: runs (`run-metrics.ts`).
 * Invariant: labels are from short lists of our own, never from what somebody sent.
 */
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** Seconds: a batch takes milliseconds, or seconds at 100,000 tasks. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const TIMED: Record<string, RegExp> = {
  batches: /^\/runs\/[^/]+\/batches$/,
  rollouts: /^\/runs\/[^/]+\/rollouts$/,
}

export interface Meters {
  registry: Registry
  /** Notes a call of the API, if it is one that trainers wait for. `path`: below /api/v1. */
  called: (method: string, path: string, status: number, milliseconds: number) => void
}

export function startMeters(): Meters {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const seconds = new Histogram({
    name: 'envsched_call_seconds',
    help: 'How long a trainer waited for an answer, by call and class of status',
    labelNames: ['call', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  return {
    registry,
    called: (method, path, status, milliseconds) => {
      if (method !== 'POST') return
      for (const [call, form] of Object.entries(TIMED))
        if (form.test(path)) seconds.observe({ call, status: `${Math.floor(status / 100)}xx` }, milliseconds / 1000)
    },
  }
}
