/* Owns the words, rows and plain table of the predictors of a run. The verdict's sentence comes with the answer: trainers read it, too. */
import type { Calibration, PredictorView } from '@/lib/contract/calibration'
import type { TableTwin } from './table-twin'

const WORDS: Record<string, string> = {
  'all together': 'Predicted, all models',
  conjunctive: 'Conjunctive',
  'conjunctive, loose': 'Conjunctive, loose',
  additive: 'Additive',
  'no structure': 'No structure',
  placebo: 'Placebo, shuffled structure',
  'global mean': 'Mean of all',
  'environment mean': 'Mean of the environment',
  'task history': 'History of the task',
}

export const calibrationWords = (name: string): string => WORDS[name] ?? name

/** The models that compete, in the order served: one line each. */
export function competing({ predictors }: Calibration): PredictorView[] {
  return predictors.filter(({ kind }) => kind === 'model')
}

/** What the prediction is held against: itself first, then the model without structure, then all shadows. */
export function lossRows({ predictors }: Calibration): PredictorView[] {
  const rank = ({ kind, name }: PredictorView) =>
    kind === 'mixture' ? 0 : kind === 'shadow' ? 2 : name === 'no structure' ? 1 : null
  return [0, 1, 2].flatMap((at) => predictors.filter((one) => rank(one) === at))
}

/** Ink for models that use structure, grey for the one that does not. */
export function lookOf(name: string, position: number): 'ours' | 'ours-fine' | 'raw' | 'reference' | 'reference-dash' {
  if (name === 'no structure') return 'reference-dash'
  return (['ours', 'ours-fine', 'reference'] as const)[position] ?? 'raw'
}

export function calibrationTwin(calibration: Calibration): TableTwin {
  const { predictors, weights } = calibration
  const models = competing(calibration)
  return {
    name: 'predictors',
    columns: [
      'batch',
      ...models.map(({ name }) => `weight ${name}`),
      ...predictors.map(({ name }) => `recent loss ${name}`),
    ],
    rows: weights.map((point) => [
      point.batch,
      ...models.map(({ name }) => point.weights[name] ?? null),
      ...predictors.map(({ name }) => point.losses[name] ?? null),
    ]),
  }
}
