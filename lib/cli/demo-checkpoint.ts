/**
 * The demo trainer's checkpoint: its policy, and the key of the run that trained it, as a trainer keeps them.
 * Invariant: a file is whole or not there; one that cannot be read counts as none.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const checkpoint = z.object({
  /** of the run, see POST /runs */
  key: z.string(),
  /** 1 for the first demo run of a data folder */
  number: z.number().int().min(1),
  /** the version that the weights are */
  policyVersion: z.number().int().min(0),
  shared: z.array(z.number()),
  own: z.array(z.number()),
  contract: z.array(z.number()),
})
export type Checkpoint = z.infer<typeof checkpoint>

export function readCheckpoint(file: string): Checkpoint | null {
  try {
    return checkpoint.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

export function writeCheckpoint(file: string, content: Checkpoint): void {
  const draft = `${file}.draft`
  writeFileSync(draft, JSON.stringify(content))
  renameSync(draft, file)
}
