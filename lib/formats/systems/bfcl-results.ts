/**
 * Results and scores of BFCL, v3 and v4 and those of 2024: `result/{model}/…/BFCL_v4_{category}_result.json` and the same with
 * `score`, JSON Lines despite their ending.
 * Owns: that a result passed which a score does not list; that a text about an error is an error; that the environment of a
 * task is the one of the task set where that is there, else its category, for passes and failures alike.
 */
import type { RolloutStatus } from '@/lib/contract/rollout'
import { conversationOf, namesIn, nestedSum, turnsOf, unmangling } from '@/lib/formats/bfcl-call'
import { stemOf } from '@/lib/formats/file-place'
import { namedFolder } from '@/lib/formats/named-folder'
import { partOf, type ToldPart } from '@/lib/formats/reward-parts'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Result, ScoreBook, type ScoredResults } from '@/lib/formats/scored-results'
import type { FileFacts, Form, Intake, System } from '@/lib/formats/system'
import { asKey, asList, asRow, asText, asTexts, has, type Row } from '@/lib/formats/untyped'

const forms: readonly Form[] = [
  {
    kind: 'bfcl-scores',
    name: 'BFCL scores',
    stage: 'rollouts',
    recognise: (row, { name }) =>
      has(row, 'accuracy', 'correct_count', 'total_count')
        ? !/^data_/.test(stemOf(name))
        : has(row, 'id') && row.valid === false && 'model_result_raw' in row,
    fields: () => [
      ['task', 'id'],
      ['reward', 'valid'],
      ['status', 'error_type'],
    ],
  },
  {
    kind: 'bfcl-results',
    name: 'BFCL results',
    stage: 'rollouts',
    recognise: (row) => asKey(row.id) !== null && 'result' in row,
    fields: () => [
      ['task', 'id'],
      ['environment', '(the task set, else the category in the name of the file)'],
      ['policy version', '(the folder of the file)'],
      ['reward', '(not listed in the score file)'],
      ['tools called', 'result'],
      ['tokens', 'output_token_count'],
      ['seconds', 'latency'],
    ],
  },
]

/** folders between a model's and its files */
const GROUPS = /^(?:live|non_live|multi_turn|agentic|memory|format_sensitivity|web_search|kv|vector|rec_sum)$/i
/** and around them */
const AROUND = /^(?:results?|scores?)(?:_\w+)?$|^data$/i

export const bfclResults: System = {
  key: 'bfcl-results',
  forms,
  begin(intake) {
    const book = new ScoreBook()
    return {
      open(kind, file) {
        const { of: scored } = book.at(file.name, GROUPS, placeIn(file))
        if (kind === 'bfcl-scores') return (row, line) => scored.score(row, file.name, line)
        return (row, line) => scored.result(row, file.name, line)
      },
      finish() {
        const taker = new RolloutTaker(intake.draft, intake.ladder)
        for (const { model, category, of } of book.all()) new Category(intake, taker, { model, category, of }).take()
        taker.finish()
      },
    }
  },
}

/** "BFCL_v4_multi_turn_base_result" is "multi_turn_base", "gorilla_openfunctions_v1_test_simple_score" is "simple". */
function placeIn({ name }: FileFacts): { model: string; category: string } {
  const category = stemOf(name)
    .replace(/^(?:BFCL_v\d+_|gorilla_openfunctions_v\d+_test_)/i, '')
    .replace(/_(?:result|score)$/i, '')
  return { model: namedFolder(name, new RegExp(`${GROUPS.source}|${AROUND.source}`, 'i')) ?? 'model', category }
}

class Category {
  constructor(
    private readonly intake: Intake,
    private readonly taker: RolloutTaker,
    private readonly place: { model: string; category: string; of: ScoredResults },
  ) {}

  take(): void {
    const { of } = this.place
    of.results.forEach((result, index) => {
      const reason = this.one(result, of.failureOf(result, index + 1))
      if (reason !== null) this.intake.skip(result.file, reason, result.line)
    })
    for (const { file, line } of of.leftOver()) this.intake.skip(file, 'a failure without its result', line)
  }

  private one({ id, row }: Result, failure: Row | null): string | null {
    const { model, category, of } = this.place
    const { draft } = this.intake
    // ids of 2024 count rows of a category
    const task = /^\d+$/.test(id) ? `${category}_${id}` : id
    const [environment = category] = draft.environmentsOf(task)
    const prompt = asRow(failure?.prompt) ?? {}
    const known = unmangling([...draft.toolNames(environment), ...offered(prompt)])
    const payload = asRow(draft.taskOf(environment, task)?.payload)
    const end = endOf(row, failure)
    const passed = failure === null ? (of.tellsPasses ? true : null) : false
    return this.taker.take({
      environment,
      task,
      verifier: category.startsWith('multi_turn')
        ? { kind: 'end state+calls', checks: ['end state', 'calls'] }
        : { kind: 'calls', checks: ['calls'] },
      model,
      version: null,
      reward: passed === null ? null : Number(passed),
      components: end.status === 'infra_error' ? [] : partsOf(category, { passed, failure }),
      ...end,
      messages: conversationOf(payload?.question ?? prompt.question, row.result, known),
      calls: end.status === 'infra_error' ? [] : namesIn(row.result, known),
      turns: turnsOf(row.result).reduce((sum, turn) => sum + turn.length, 0),
      tokens: nestedSum(row.output_token_count),
      seconds: nestedSum(row.latency),
    })
  }
}

function offered(prompt: Row): string[] {
  const list = asList(prompt.function) ?? [prompt.function]
  return list.flatMap((item) => asText(asRow(item)?.name) ?? [])
}

function errorOf(failure: Row): { type: string; text: string } {
  const inner = asRow(failure.error)
  const type = asText(failure.error_type) ?? asText(inner?.error_type) ?? ''
  const said = asText(inner?.error_message) ?? asText(failure.error) ?? asTexts(failure.error).join('\n')
  return { type, text: [type, said].filter((part) => part !== '').join(': ') }
}

function endOf(row: Row, failure: Row | null): { status: RolloutStatus; error: string | null } {
  if (has(row, 'traceback') || (typeof row.result === 'string' && /^Error during inference/i.test(row.result)))
    return { status: 'infra_error', error: asText(row.result) ?? asKey(row.traceback) }
  if (failure === null) return { status: 'ok', error: null }
  const { type, text } = errorOf(failure)
  return { status: type === 'multi_turn:force_terminated' ? 'truncated' : 'ok', error: text === '' ? null : text }
}

/** In turns the end state is compared first, then what the calls gave back; else the calls alone. */
function partsOf(category: string, { passed, failure }: { passed: boolean | null; failure: Row | null }): ToldPart[] {
  if (passed === null) return []
  const { type, text } = failure === null ? { type: '', text: undefined } : errorOf(failure)
  if (!category.startsWith('multi_turn')) return [partOf('calls', passed, text)]
  if (failure === null) return [partOf('end state', passed), partOf('calls', passed)]
  const response = type === 'multi_turn:execution_response_mismatch'
  const state = response ? 1 : type === 'multi_turn:instance_state_mismatch' ? 0 : null
  return [
    partOf('end state', state, state === 0 ? text : undefined),
    partOf('calls', response ? 0 : null, response ? text : undefined),
  ]
}
