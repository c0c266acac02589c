/**
 * Finished trainings in a file, one JSON line each, so that a stopped bench goes on.
 * Owns: reading and appending. Invariant: a line that was cut off or is of another length of training is passed over.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { type LmTraining, lmTraining } from './bench-lm-training'

export interface TrainingFile {
  found: LmTraining[]
  keep(training: LmTraining): void
}

/** `file` null: nothing is kept. */
export function openTrainingFile(file: string | null, steps: number): TrainingFile {
  if (file === null) return { found: [], keep: () => {} }
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n')
  const found = text.split('\n').flatMap(trainingOf)
  return {
    found: found.filter((training) => training.steps === steps),
    keep: (training) => appendFileSync(file, `${JSON.stringify(training)}\n`),
  }
}

function trainingOf(line: string): LmTraining[] {
  if (line.trim() === '') return []
  try {
    return [lmTraining.parse(JSON.parse(line))]
  } catch {
    return []
  }
}
