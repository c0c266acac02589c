/**
 * Inspect logs: `.eval` (a ZIP with a header and a file a sample) and `.json` (one object with a list of samples).
 * Owns: which header a sample belongs to, also where the evaluation was cut off and only its journal tells; that an environment
 * is a task of Inspect and a trial an epoch; that summaries and reductions count nothing twice; that an error has no reward.
 */
import type { RolloutStatus } from '@/lib/contract/rollout'
import { conversation, offeredTools, resolved, scoresOf } from '@/lib/formats/inspect-sample'
import { promptText } from '@/lib/formats/prompt-key'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import type { FileFacts, Form, Intake, System } from '@/lib/formats/system'
import { tellTools } from '@/lib/formats/tool-docs'
import { asCount, asKey, asList, asNumber, asRow, asRows, asText, has, type Row } from '@/lib/formats/untyped'

/** members that a sample has and its summary has not */
const HOLDS = ['messages', 'output', 'events']

const forms: readonly Form[] = [
  {
    kind: 'inspect-reductions',
    name: 'Inspect reductions',
    stage: 'documents',
    recognise: (row) => has(row, 'scorer') && asRows(row.samples).some((one) => 'sample_id' in one && 'value' in one),
    fields: () => [],
    fileOnly: 'it holds means over epochs, no samples',
  },
  {
    kind: 'inspect-summaries',
    name: 'Inspect summaries',
    stage: 'documents',
    // a large sample keeps its messages in files beside it, and is one all the same
    recognise: (row, { name }) => isSample(row) && !HOLDS.some((key) => key in row) && !/[\\/]samples[\\/]/.test(name),
    fields: () => [],
    fileOnly: 'it sums up samples that have files of their own',
  },
  {
    kind: 'inspect-header',
    name: 'Inspect header',
    stage: 'documents',
    recognise: (row) => has(row, 'version') && asText(asRow(row.eval)?.task) !== null && !('samples' in row),
    fields: () => [
      ['environment', 'eval.task'],
      ['policy version', 'eval.model'],
      ['verifier', 'eval.scorers.0.name'],
    ],
  },
  {
    kind: 'inspect-samples',
    name: 'Inspect log',
    stage: 'rollouts',
    recognise: isSample,
    fields: () => [
      ['environment', '(eval.task in the header)'],
      ['policy version', '(eval.model in the header)'],
      ['task', 'id'],
      ['task text', 'input'],
      ['reward', 'scores'],
      ['status', 'error.message'],
      ['status', 'limit.type'],
      ['messages', 'messages'],
      ['seconds', 'total_time'],
    ],
  },
]

function isSample(row: Row): boolean {
  return asKey(row.id) !== null && typeof row.epoch === 'number' && has(row, 'input') && 'target' in row
}

export const inspect: System = {
  key: 'inspect',
  forms,
  begin(intake) {
    const log = new Log(intake)
    return {
      open(kind, file) {
        if (kind === 'inspect-header')
          return (row) => {
            log.header(file.name, row)
            return null
          }
        return (row) => log.take(row, file)
      },
      finish: () => log.finish(),
    }
  },
}

class Log {
  private readonly headers = new Map<string, Row>()
  private readonly taken = new Set<string>()
  private readonly taker: RolloutTaker

  constructor(private readonly intake: Intake) {
    this.taker = new RolloutTaker(intake.draft, intake.ladder)
  }

  /** A finished log has two headers; the one that tells results stands. */
  header(file: string, row: Row): void {
    const root = rootOf(file)
    if (!this.headers.has(root) || 'results' in row) this.headers.set(root, row)
  }

  take(sample: Row, file: FileFacts): string | null {
    const root = rootOf(file.name)
    const header = file.outer ?? this.headers.get(root) ?? {}
    const spec = asRow(header.eval) ?? {}
    const key = asKey(sample.id)
    if (key === null) return 'a sample without an id'
    const run = asText(spec.eval_id) ?? asText(spec.task_id) ?? asText(spec.run_id) ?? root
    // a retried evaluation takes over what was done, under the ids that it had
    const identity = asText(sample.uuid) ?? JSON.stringify([run, key, sample.epoch])
    if (this.taken.has(identity)) return 'a sample that stands in its log twice'
    const environment = asText(spec.task) ?? stemOfLog(root)
    const model = asText(spec.model)
    tellTools(this.intake.draft, environment, offeredTools(sample, model))
    const scorers = scorerNames(header, sample)
    const { reward, parts } = scoresOf(sample, scorers[0] ?? null)
    const { status, error } = endOf(sample)
    const reason = this.taker.take({
      environment,
      task: key,
      about: aboutOf(sample, scorers),
      verifier: { kind: scorers.length === 0 ? null : scorers.join('+'), checks: scorers },
      model: model ?? 'model',
      version: null,
      reward,
      components: parts,
      status,
      error,
      messages: conversation(sample),
      tokens: tokensOf(sample, model),
      seconds: asNumber(sample.total_time),
    })
    if (reason === null) this.taken.add(identity)
    return reason
  }

  finish(): void {
    this.taker.finish()
  }
}

/** The log that a member of its ZIP belongs to; a folder where it was unpacked. */
function rootOf(name: string): string {
  const at = name.search(/[\\/](?:samples|_journal)[\\/]|[\\/]header\.json$/)
  return at < 0 ? name : name.slice(0, at)
}

/** "logs/2024-11-05T20-04-20+00-00_popularity_WckPjG7o.eval" names its task between time and id. */
function stemOfLog(root: string): string {
  const stem = (root.split(/[\\/]/).at(-1) ?? root).replace(/\.(?:eval|json)$/i, '')
  return /^\d{4}-\d\d-\d\dT[^_]*_(.+)_[A-Za-z0-9]+$/.exec(stem)?.[1] ?? stem
}

function scorerNames(header: Row, sample: Row): string[] {
  const told = [asRow(header.eval)?.scorers, asRow(header.results)?.scores]
    .map((list) => asRows(list).flatMap((one) => asText(one.name) ?? []))
    .find((names) => names.length > 0)
  const own = Object.keys(asRow(sample.scores) ?? {})
  return [...new Set([...(told ?? []).filter((name) => own.length === 0 || own.includes(name)), ...own])]
}

function aboutOf(sample: Row, checks: string[]) {
  const input = resolved(sample.input, asRow(sample.attachments) ?? {})
  return {
    text: promptText(input) ?? undefined,
    checks,
    payload: {
      id: sample.id,
      input,
      ...(asList(sample.choices) === null ? {} : { choices: sample.choices }),
      target: sample.target,
      metadata: asRow(sample.metadata) ?? {},
    },
  }
}

function endOf(sample: Row): { status: RolloutStatus; error: string | null } {
  const error = asRow(sample.error)
  if (error !== null) return { status: 'infra_error', error: asText(error.message) ?? 'The sample ended in an error.' }
  const invalid = asRow(sample.invalidation)
  if (invalid !== null)
    return { status: 'cancelled', error: asText(invalid.reason) ?? 'The sample was declared invalid.' }
  const limit = asText(asRow(sample.limit)?.type)
  return limit === null ? { status: 'ok', error: null } : { status: 'truncated', error: `limit: ${limit}` }
}

/** What the evaluated model wrote; graders have entries of their own. */
function tokensOf(sample: Row, model: string | null): number | null {
  const usage = asRow(sample.model_usage) ?? {}
  const own = asRow(model === null ? undefined : usage[model])
  return asCount(own?.output_tokens)
}
