/**
 * What a server process does by itself now and then: applies the rules of what text is kept, drops files of imports that nobody
 * went on with, notes what the disk takes.
 * Owns: the pace. Invariant: a fault is logged and the next turn tries again; it never keeps a process alive.
 */
import { sampleDisk } from './disk-use'
import { dropOldFiles } from './imports/import-folder'
import { sweepDue } from './keep'
import { faultOf, log } from './logger'
import type { Runtime } from './runtime'

const SAMPLE_MS = 10 * 60_000
const SWEEP_MS = 3_600_000

async function attempt(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    log('error', `${what}_failed`, faultOf(cause))
  }
}

/** Call once a process. */
export function startHousekeeping(runtime: Runtime, clock: () => number): void {
  const sample = () => void attempt('disk_sample', () => sampleDisk(runtime, clock()))
  const sweep = () => {
    void attempt('sweep', () => sweepDue(runtime, clock()))
    const running = new Set(runtime.imports.keys())
    void attempt('import_sweep', () => dropOldFiles(runtime.settings.dataDir, running, clock()))
  }
  setInterval(sample, SAMPLE_MS).unref()
  setInterval(sweep, SWEEP_MS).unref()
  sample()
  sweep()
}
