/* Owns the words of a column mapping: what each of ours is called, what it is for, and whether the mapping is enough.
   Invariant: a mapping that cannot bring a row in is never called ready. */
import { type ColumnMapping, MAPPED, type Mapped } from '@/lib/contract/column-mapping'

export interface MappedWord {
  word: Mapped
  title: string
  note: string
}

const WORDS: Record<Mapped, readonly [title: string, note: string]> = {
  environment: ['environment', 'which environment a task belongs to'],
  task: ['task', 'what names the task; without it the prompt does'],
  text: ['prompt', 'the text of the task'],
  reward: ['reward', 'a number, true or false; empty is missing, not 0'],
  policyVersion: ['policy version', 'a whole number, as a training step'],
  model: ['model', 'where there is no version: one a model, weakest first'],
  status: ['status', 'how the rollout ended'],
  error: ['error', 'what went wrong; failures outside the policy do not count'],
  turns: ['turns', 'a whole number'],
  tokens: ['tokens', 'a whole number'],
  seconds: ['seconds', 'how long it took'],
  tools: ['tools called', 'a list, or names with commas'],
  messages: ['messages', 'the whole conversation'],
  group: ['group', 'names the task where nothing else does'],
}

export const mappedWords = (): MappedWord[] =>
  MAPPED.map((word) => ({ word, title: WORDS[word][0], note: WORDS[word][1] }))

/** Null where the mapping can bring rows in, else what is missing. */
export function mappingGap(mapping: ColumnMapping): string | null {
  const has = (word: Mapped) => (mapping[word] ?? '').replace(/^=/, '') !== ''
  if (!has('environment')) return 'Choose the column of the environment, or give all rows one.'
  if (!has('task') && !has('text') && !has('messages') && !has('group'))
    return 'Choose the column that names the task, or that of its prompt.'
  return null
}

/** What the mapping makes of the rows. */
export function mappingOutcome(mapping: ColumnMapping): string {
  return mapping.reward === undefined
    ? 'Without a reward only a task set comes in.'
    : 'Rows of one task and one policy version become a group.'
}

/** With one word set to a column, a constant ("=math") or nothing. */
export function withColumn(mapping: ColumnMapping, word: Mapped, from: string | null): ColumnMapping {
  const { [word]: _, ...rest } = mapping
  return from === null ? rest : { ...rest, [word]: from }
}
