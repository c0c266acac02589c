/**
 * Evaluations of verifiers before its traces: results.jsonl, with environment and model in metadata.json beside it, or only in the
 * names of its folders (`<env>--<model>/<uuid>`). verifiers-row.ts reads a row.
 * Owns: that a run that never began writes zeros (no completion, no time): no rewards; that runs of one model on one
 * environment are trials of the same tasks where their prompts are the same.
 */
import { namedFolder } from '@/lib/formats/named-folder'
import { promptKey, promptText } from '@/lib/formats/prompt-key'
import { rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Field, type Form, type System, type Take, unused } from '@/lib/formats/system'
import { TaskNames } from '@/lib/formats/task-names'
import type { TaskSetDraft } from '@/lib/formats/task-set-draft'
import { toolOf } from '@/lib/formats/text-tools'
import { asKey, asRow, asRows, asText, has, type Row } from '@/lib/formats/untyped'
import { conversationOf, partsOfRow, secondsOf, standingOf, tokensOf } from '@/lib/formats/verifiers-row'

const ID = ['example_id', 'id'] as const
/** columns that such a row has beside prompt, completion and reward */
const MARKS = ['generation_ms', 'total_ms', 'timing', 'metrics', 'is_completed', 'is_truncated', 'task'] as const
const GENERIC = /^(?:outputs?|evals?|results?|[0-9a-f]{8}(?:-?[0-9a-f]{4,})*)$/i

interface About {
  environment: string | null
  model: string | null
}

const results: Form = {
  kind: 'verifiers-results',
  name: 'verifiers results',
  stage: 'rollouts',
  recognise: (row) =>
    'prompt' in row &&
    'completion' in row &&
    'reward' in row &&
    ID.some((name) => asKey(row[name]) !== null) &&
    MARKS.some((name) => name in row),
  fields(row) {
    const fields: Field[] = [
      ['environment', '(metadata.json beside it)'],
      ['task', ID.find((name) => asKey(row[name]) !== null) ?? 'example_id'],
      ['model', '(metadata.json beside it)'],
      ['reward', 'reward'],
      ...(partsOfRow(row) ?? []).map(({ name }): Field => ['reward part', name in row ? name : `metrics.${name}`]),
      ['status', 'error'],
      ['truncated', 'is_truncated'],
      ['task text', 'prompt'],
      ['messages', 'completion'],
      ['task payload', 'answer'],
      ['seconds', 'timing' in row ? 'timing' : 'total_ms'],
    ]
    return [...fields, ...unused(row, fields)]
  },
}

const metadata: Form = {
  kind: 'verifiers-metadata',
  name: 'verifiers metadata',
  stage: 'documents',
  recognise: (row) => (has(row, 'env') || has(row, 'env_id')) && has(row, 'model') && 'rollouts_per_example' in row,
  fields: (row) => {
    const fields: Field[] = [
      ['environment', 'env_id' in row ? 'env_id' : 'env'],
      ['model', 'model'],
      ['trials of a task', 'rollouts_per_example'],
    ]
    return [...fields, ...unused(row, fields)]
  },
}

export const verifiersResults: System = {
  key: 'verifiers-results',
  forms: [results, metadata],
  begin({ draft, ladder }) {
    const taker = new RolloutTaker(draft, ladder)
    const names = new TaskNames()
    const about = new Map<string, About>()
    return {
      open(kind, { name }) {
        if (kind === 'verifiers-metadata')
          return (row) => {
            about.set(folderOf(name), { environment: asText(row.env_id) ?? asText(row.env), model: asText(row.model) })
            return null
          }
        return takeOf({ taker, draft, names }, name, about.get(folderOf(name)) ?? { environment: null, model: null })
      },
      finish: () => taker.finish(),
    }
  },
}

interface Targets {
  taker: RolloutTaker
  draft: TaskSetDraft
  names: TaskNames
}

function takeOf({ taker, draft, names }: Targets, file: string, about: About): Take {
  const [environmentPart, modelPart] = (namedFolder(file, GENERIC) ?? '').split('--')
  const whole =
    about.environment ?? (environmentPart === undefined || environmentPart === '' ? 'verifiers' : environmentPart)
  const model = about.model ?? modelPart ?? 'model'
  return (row) => {
    const id = ID.map((name) => asKey(row[name])).find((name) => name !== null)
    if (id === undefined || id === null) return 'a row without an example_id'
    // several environments in one are told apart by the name of the task's own
    const part = asText(row.task)
    const environment = part === null || part === 'default' || part === whole ? whole : `${whole}/${part}`
    const declared = toolsOf(row)
    for (const tool of declared) draft.tool(environment, tool.name, tool.description, tool.parameters)
    const answer = asText(row.answer)
    return taker.take({
      environment,
      task: names.name(file, environment, id, () => promptKey(row.prompt)),
      about: {
        text: promptText(row.prompt) ?? undefined,
        ...(declared.length === 0 ? {} : { tools: declared.map(({ name }) => name) }),
        ...(answer === null ? {} : { payload: { answer } }),
      },
      model,
      version: null,
      reward: rewardValue(row.reward),
      components: partsOfRow(row),
      ...standingOf(row),
      ...conversationOf(row),
      tokens: tokensOf(row),
      seconds: secondsOf(row),
    })
  }
}

function folderOf(name: string): string {
  return name.split(/[\\/]/).slice(0, -1).join('/')
}

function toolsOf(row: Row) {
  const texts = asRow(row.info)?.oai_tools
  const given = asRows(row.tool_defs).length > 0 ? row.tool_defs : texts
  return asRows(given).flatMap((tool) => toolOf(tool) ?? [])
}
