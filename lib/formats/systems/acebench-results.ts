/**
 * Results, scores and process files of ACEBench: `result_all/result_en/{model}/data_{category}_result.json` and the like.
 * Owns: that an agent task has two scores, its end state (the reward) and its process, which a file leaves out where it is 1;
 * that a result passed which a score does not list; that two languages count their tasks alike.
 */
import { callNames } from '@/lib/formats/call-names'
import type { Message } from '@/lib/formats/chat'
import { stemOf } from '@/lib/formats/file-place'
import { namedFolder } from '@/lib/formats/named-folder'
import { partOf, type ToldPart } from '@/lib/formats/reward-parts'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Result, ScoreBook, type ScoredResults } from '@/lib/formats/scored-results'
import type { FileFacts, Form, Intake, System } from '@/lib/formats/system'
import { inLanguage, languageOf } from '@/lib/formats/task-language'
import { asKey, asList, asNumber, asRow, asText, asTexts, has, type Row } from '@/lib/formats/untyped'

const OWN_ID = /^(?:agent|normal|special)_/

const forms: readonly Form[] = [
  {
    kind: 'acebench-scores',
    name: 'ACEBench scores',
    stage: 'rollouts',
    recognise: (row, { name }) =>
      'total_count' in row
        ? 'end_to_end_accuracy' in row ||
          'process_accuracy' in row ||
          (has(row, 'accuracy') && /^data_/.test(stemOf(name)))
        : isOwn(row) && row.valid === false,
    fields: () => [
      ['task', 'id'],
      ['reward', 'valid'],
      ['status', 'error_type'],
    ],
  },
  {
    kind: 'acebench-processes',
    name: 'ACEBench processes',
    stage: 'rollouts',
    recognise: (row) => processIn(row) !== null,
    fields: () => [
      ['task', '(the name of the only member)'],
      ['reward parts', '(its process_accuracy)'],
      ['policy version', '(the folder of the file)'],
    ],
  },
  {
    kind: 'acebench-results',
    name: 'ACEBench results',
    stage: 'rollouts',
    recognise: (row) => isOwn(row) && 'result' in row,
    fields: () => [
      ['task', 'id'],
      ['environment', '(the task set, else the category in the name of the file)'],
      ['policy version', '(the folder of the file)'],
      ['reward', '(not listed in the score file)'],
      ['tools called', 'process'],
      ['messages', 'result'],
    ],
  },
]

function isOwn(row: Row): boolean {
  return OWN_ID.test(asText(row.id) ?? '')
}

/** {"agent_multi_step_3": {process_accuracy, model_output, call_process}} */
function processIn(row: Row): { id: string; process: Row } | null {
  const [only, ...others] = Object.entries(row)
  const process = asRow(only?.[1])
  return only === undefined || others.length > 0 || process === null || !('process_accuracy' in process)
    ? null
    : { id: only[0], process }
}

/** results and scores lie alike */
const NO_GROUPS = /^$/
const GENERIC = /^(?:results?|scores?)(?:_\w+)?$|^data$/i

export const acebenchResults: System = {
  key: 'acebench-results',
  forms,
  begin(intake) {
    const book = new ScoreBook()
    const processes = new Map<string, Map<string, Row>>()
    return {
      open(kind, file) {
        const { key, of: scored } = book.at(file.name, NO_GROUPS, placeIn(file))
        if (kind === 'acebench-scores') return (row, line) => scored.score(row, file.name, line)
        if (kind === 'acebench-results') return (row, line) => scored.result(row, file.name, line)
        const known = processes.get(key) ?? new Map<string, Row>()
        processes.set(key, known)
        return (row) => {
          const found = processIn(row)
          if (found === null) return 'a process without its accuracy'
          known.set(found.id, found.process)
          return null
        }
      },
      finish() {
        const taker = new RolloutTaker(intake.draft, intake.ladder)
        for (const { key, model, category, of } of book.all()) {
          const told = processes.get(key) ?? null
          takeAll(intake, taker, { model, category, of, processes: told })
        }
        taker.finish()
      },
    }
  },
}

/** The category with its language: "agent_multi_step (zh)" of ".../result_zh/m/data_agent_multi_step_result.json". */
function placeIn({ name }: FileFacts): { model: string; category: string } {
  const category = stemOf(name)
    .replace(/^data_/, '')
    .replace(/_process$/, '')
    .replace(/_(?:result|score)$/, '')
  return { model: namedFolder(name, GENERIC) ?? 'model', category: inLanguage(category, languageOf(name, undefined)) }
}

interface Place {
  model: string
  category: string
  of: ScoredResults
  /** null where no file tells them */
  processes: Map<string, Row> | null
}

function takeAll(intake: Intake, taker: RolloutTaker, place: Place): void {
  place.of.results.forEach((result, index) => {
    const reason = takeOne(intake, taker, place, { result, failure: place.of.failureOf(result, index + 1), index })
    if (reason !== null) intake.skip(result.file, reason, result.line)
  })
  for (const { file, line } of place.of.leftOver()) intake.skip(file, 'a failure without its result', line)
}

function takeOne(
  { draft }: Intake,
  taker: RolloutTaker,
  { model, category, of, processes }: Place,
  { result, failure, index }: { result: Result; failure: Row | null; index: number },
): string | null {
  const { id, row } = result
  const language = category.endsWith(' (zh)') ? 'zh' : languageOf('', JSON.stringify([row.result, row.process]))
  const known = draft.environmentsOf(id).find((one) => one.endsWith(' (zh)') === (language === 'zh'))
  const environment = known ?? inLanguage(category.replace(/ \(zh\)$/, ''), language)
  const passed = failure === null ? (of.tellsPasses ? true : null) : false
  const process = asTexts(row.process)
  const words = failure === null ? null : wordsOf(failure)
  const parts = id.startsWith('agent_')
    ? [
        ...(passed === null ? [] : [partOf('end state', passed, words)]),
        ...processPart({ id, index, passed, failure, processes }),
      ]
    : passed === null
      ? []
      : [partOf('calls', passed, words)]
  const question = asRow(draft.taskOf(environment, id)?.payload)?.question
  return taker.take({
    environment,
    task: id,
    verifier: id.startsWith('agent_')
      ? { kind: 'end state+milestones', checks: ['end state', 'milestones'] }
      : { kind: 'calls', checks: ['calls'] },
    model,
    version: null,
    reward: passed === null ? null : Number(passed),
    components: parts,
    error: words,
    messages: conversationOf(question, row, process),
    calls: callNames(process.length > 0 ? process : row.result).map((name) => ({ name, parameters: [] })),
    turns: process.length > 0 ? process.length : null,
  })
}

/** The files leave a process out where it is 1; where no file of them is there, only a failure's own line may tell it. */
function processPart(of: {
  id: string
  index: number
  passed: boolean | null
  failure: Row | null
  processes: Map<string, Row> | null
}): ToldPart[] {
  if (of.passed === true) return [partOf('process', 1)]
  const own = asNumber(of.failure?.process_score)
  if (own !== null) return [partOf('process', own)]
  if (of.processes === null) return []
  const told = of.processes.get(of.id)
  if (told === undefined) return of.passed === null ? [] : [partOf('process', 1)]
  return [partOf('process', asNumber(told.process_accuracy))]
}

function wordsOf(failure: Row): string | null {
  const said = asText(failure.error) ?? asTexts(failure.error).join('\n')
  return asText([asKey(failure.error_type) ?? '', said].filter((part) => part !== '').join(': '))
}

function conversationOf(question: unknown, row: Row, process: readonly string[]): Message[] {
  const asked = asText(question)
  const done = process.length > 0 ? process : asList(row.result) === null ? [asText(row.result) ?? ''] : []
  return [
    ...(asked === null ? [] : [{ role: 'user', content: asked }]),
    ...done.filter((text) => text !== '').map((content) => ({ role: 'assistant', content })),
  ]
}
