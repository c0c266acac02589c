/* Owns the words and looks of the predictors of a run, wherever they stand. The graph's sentence comes with the answer: trainers read it, too. */
import type { Calibration, PredictorView } from '@/lib/contract/calibration'

/** name, a few words beside it, how it is made */
const WORDS: Record<string, [name: string, beside: string, made: string]> = {
  'all together': ['EnvSched', 'all models', 'What was predicted: the four competing models, by their weight.'],
  conjunctive: ['Conjunctive', '', 'All steps of a task must succeed; tools, state and checks make a step hard.'],
  'conjunctive, loose': ['Conjunctive, loose', '', 'As conjunctive, with less trust in what tasks share.'],
  additive: ['Additive', '', 'What tasks share adds up to how hard a task is.'],
  'no structure': [
    'No structure',
    'own history and environment',
    'The same model without anything that tasks share beyond their environment.',
  ],
  placebo: [
    'Placebo',
    'same structure, tasks shuffled',
    'The graph with tasks exchanged inside their environments: scored beside, never used. What it gains is no gain of the graph.',
  ],
  'global mean': ['Global mean', '', 'Fading mean of all rollouts.'],
  'environment mean': ['Environment mean', '', 'Fading mean of the environment, held to that of all.'],
  'task history': ['Task history', '', 'Fading mean of the task, held to that of its environment.'],
}

export const calibrationWords = (name: string): string => WORDS[name]?.[0] ?? name
export const besideWords = (name: string): string => WORDS[name]?.[1] ?? ''
export const madeWords = (name: string): string => WORDS[name]?.[2] ?? ''

/** At the end of a line, where a name stands in running words. */
export const lineWords = (name: string): string =>
  name === 'all together' ? calibrationWords(name) : calibrationWords(name).toLowerCase()

/** What the prediction is held against by log loss: itself first, then the model without structure, then all shadows. */
export function lossRows({ predictors }: Pick<Calibration, 'predictors'>): PredictorView[] {
  const rank = ({ kind, name }: PredictorView) =>
    kind === 'mixture' ? 0 : kind === 'shadow' ? 2 : name === 'no structure' ? 1 : null
  return [0, 1, 2].flatMap((at) => predictors.filter((one) => rank(one) === at))
}

/** Ink for what is predicted, grey in its own dashes for what it is compared with, the placebo apart. */
export function lookOf(
  name: string,
): 'ours' | 'reference' | 'reference-dash' | 'reference-long' | 'reference-mixed' | 'placebo' {
  if (name === 'all together') return 'ours'
  if (name === 'placebo') return 'placebo'
  if (name === 'no structure') return 'reference-dash'
  if (name === 'task history') return 'reference-mixed'
  return name === 'environment mean' ? 'reference-long' : 'reference'
}

/** Fill of a model's area: structure in the hue of variance, none in grey. */
export function fillOf(name: string, position: number): string {
  if (name === 'no structure') return 'var(--line-2)'
  return ['var(--seq-5)', 'var(--seq-3)', 'var(--seq-1)'][position] ?? 'var(--seq-2)'
}
