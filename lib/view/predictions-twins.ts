/* Owns the plain tables behind the panels of the Predictions page. Invariant: an unknown figure stays null, never 0. */
import type { Calibration } from '@/lib/contract/calibration'
import { calibrationWords } from './calibration-words'
import type { TableTwin } from './table-twin'

export const depthWords = ({ from, to }: { from: number; to: number | null }): string =>
  to === null ? `${from} or more` : to === from ? `${from}` : `${from} to ${to}`

export function reliabilityTwin({ reliability }: Calibration): TableTwin {
  return {
    name: 'reliability',
    columns: ['predicted from', 'predicted to', 'groups', 'mean predicted', 'mean realised', 'low 95 %', 'high 95 %'],
    rows: reliability.map(({ low, high, groups, predicted, realised, interval }) => [
      low,
      high,
      groups,
      predicted,
      realised,
      interval?.low ?? null,
      interval?.high ?? null,
    ]),
  }
}

export function errorsTwin({ over }: Calibration): TableTwin {
  return {
    name: 'prediction-error',
    columns: [over.of, ...over.errors.map(({ name }) => calibrationWords(name)), 'best possible'],
    rows: over.at.map((at, i) => [at, ...over.errors.map(({ values }) => values[i] ?? null), over.best[i] ?? null]),
  }
}

export function depthTwin({ all, compared, depth }: Calibration): TableTwin {
  const parts = [all, ...depth]
  return {
    name: 'error-by-depth',
    columns: ['predictor', 'all', ...depth.map((part) => `${depthWords(part)} groups before`), 'of ceiling'],
    rows: [
      ...compared.map(({ name, ofCeiling }, p) => [
        calibrationWords(name),
        ...parts.map(({ errors }) => errors[p] ?? null),
        ofCeiling,
      ]),
      ['best possible', ...parts.map(({ best }) => best), null],
      ['groups', ...parts.map(({ groups }) => groups), null],
    ],
  }
}

export function evidenceTwin({ compared, evidence }: Calibration): TableTwin {
  return {
    name: 'error-by-evidence',
    columns: [
      'mainly from',
      'groups',
      'mean predicted',
      'mean realised',
      ...compared.map(({ name }) => calibrationWords(name)),
      'best possible',
    ],
    rows: evidence.map(({ kind, groups, predicted, realised, errors, best }) => [
      kind,
      groups,
      predicted,
      realised,
      ...compared.map((_, p) => errors[p] ?? null),
      best,
    ]),
  }
}

export function weightsTwin({ over, weights }: Calibration): TableTwin {
  return {
    name: 'model-weights',
    columns: [over.of, ...weights.models.map(({ name }) => calibrationWords(name))],
    rows: weights.at.map((at, i) => [at, ...weights.models.map(({ values }) => values[i] ?? null)]),
  }
}

export function lossTwin({ predictors }: Calibration): TableTwin {
  return {
    name: 'log-loss',
    columns: ['predictor', 'kind', 'weight', 'log loss', 'recent log loss'],
    rows: predictors.map(({ name, kind, weight, logLoss, recentLogLoss }) => [
      calibrationWords(name),
      kind,
      weight,
      logLoss,
      recentLogLoss,
    ]),
  }
}
