/**
 * Episodes of prime-rl and verifiers (traces.jsonl). Owns: that the reward is not stored but the sum of score times weight over the
 * trainable agents; that judges and simulated users are other agents; that errors of attempts before a success count for nothing;
 * that an episode lies in two files where all and effective ones are kept apart.
 */
import { namedFolder } from '@/lib/formats/named-folder'
import { promptKey, promptText } from '@/lib/formats/prompt-key'
import { type Part, rewardValue, sumOf } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Field, type System, type Take, unused } from '@/lib/formats/system'
import type { TaskSetDraft } from '@/lib/formats/task-set-draft'
import { toolOf } from '@/lib/formats/text-tools'
import { branchOf, callsOf, endOf, failureOf, outputTokens, secondsOf, turnsOf } from '@/lib/formats/trace-graph'
import { asCount, asKey, asList, asRow, asRows, asText, type Row } from '@/lib/formats/untyped'

const WITHOUT_NAME = 'verifiers'
const GENERIC = /^(?:outputs?|evals?|rollouts|step_\d+|train|eval|all|effective|[0-9a-f-]{8,})$/i

const FIELDS: readonly Field[] = [
  ['environment', 'env.name'],
  ['task', 'task.key'],
  ['policy version', 'run.work.policy.start'],
  ['reward', '(score times weight, over the trainable agents)'],
  ['reward parts', 'traces.0.rewards'],
  ['status', 'ok'],
  ['error', 'errors'],
  ['messages', 'traces.0.nodes'],
  ['tools', 'traces.0.tools'],
  ['task payload', 'task.data'],
  ['known twice by', 'id'],
]

/** An episode; a trace alone is one of a single agent. */
function isEpisode(row: Row): boolean {
  return asList(row.traces) !== null && asRow(row.task) !== null && ('ok' in row || 'env' in row)
}

function isTrace(row: Row): boolean {
  return asList(row.nodes) !== null && asRow(row.rewards) !== null && asRow(row.task) !== null
}

export const verifiersTraces: System = {
  key: 'verifiers-traces',
  forms: [
    {
      kind: 'verifiers-episodes',
      name: 'verifiers episodes',
      stage: 'rollouts',
      recognise: (row) => isEpisode(row) || isTrace(row),
      fields: (row) => [...FIELDS, ...unused(row, FIELDS)],
    },
  ],
  begin({ draft, ladder }) {
    const taker = new RolloutTaker(draft, ladder)
    const seen = new Set<string>()
    return {
      open: (_kind, { name }) => takeOf(taker, draft, seen, name),
      finish: () => taker.finish(),
    }
  },
}

function takeOf(taker: RolloutTaker, draft: TaskSetDraft, seen: Set<string>, file: string): Take {
  return (row) => {
    const episode = isEpisode(row) ? row : { ...row, traces: [row] }
    const { key, prompt, data } = taskOf(episode)
    if (key === null) return 'an episode whose task has neither key nor prompt'
    const id = asKey(episode.id)
    if (id !== null && seen.has(id)) return 'an episode that is there twice'
    if (id !== null) seen.add(id)
    const own = asRows(episode.traces).filter(({ agent }) => asRow(agent)?.trainable !== false)
    const environment = environmentOf(episode) ?? namedFolder(file, GENERIC) ?? WITHOUT_NAME
    for (const tool of own.flatMap((trace) => asRows(trace.tools)).flatMap((declared) => toolOf(declared) ?? []))
      draft.tool(environment, tool.name, tool.description, tool.parameters)
    const components = componentsOf(own)
    return taker.take({
      environment,
      task: key,
      about: { text: promptText(prompt) ?? undefined, payload: data },
      verifier: { checks: components.map(({ name }) => name) },
      ...policyOf(episode, own),
      reward: rewardOf(own),
      components: components.length === 0 ? null : components,
      ...standingOf(episode, own),
      ...conversationOf(own),
      tokens: asCount(episode.num_output_tokens) ?? outputTokens(own),
    })
  }
}

function taskOf(episode: Row): { key: string | null; prompt: unknown; data: Row } {
  const task = asRow(episode.task) ?? {}
  const data = asRow(task.data) ?? {}
  const prompt = data.prompt ?? data.question ?? data.instruction ?? null
  const told = [task.key, task.hash, data.id].map(asKey).find((key) => key !== null)
  return { key: told ?? promptKey(prompt), prompt, data }
}

/** The first agent's conversation; calls and turns of all that are trained. */
function conversationOf(own: readonly Row[]) {
  const [first] = own
  return {
    messages: first === undefined ? [] : branchOf(first),
    calls: own.flatMap(callsOf),
    turns: first === undefined ? null : own.reduce((sum, trace) => sum + turnsOf(trace), 0),
    seconds: first === undefined ? null : secondsOf(first),
  }
}

function environmentOf(episode: Row): string | null {
  const env = asRow(episode.env)
  return asText(env?.name) ?? asText(env?.id)
}

function policyOf(episode: Row, own: readonly Row[]): { model: string; version: number | null } {
  const run = asRow(episode.run)
  const work = asRow(run?.work)
  const version = asCount(asRow(work?.policy)?.start) ?? asCount(work?.step)
  if (version !== null) return { model: work?.type === 'eval' ? 'policy, evaluated' : 'policy', version }
  const agent = asRow(own[0]?.agent)
  const called = asRows(own[0]?.calls).map(({ model }) => asText(model))
  return { model: called.find((model) => model !== null) ?? asText(asRow(agent?.config)?.model) ?? 'policy', version }
}

/** Null where nothing was scored: an empty or null reward says that scoring did not run. */
function rewardOf(own: readonly Row[]) {
  return sumOf(
    own.flatMap((trace) =>
      Object.values(asRow(trace.rewards) ?? {}).map((reward) => {
        const part = asRow(reward)
        const score = rewardValue(part?.score)
        const weight = part?.weight === undefined ? 1 : rewardValue(part.weight)
        return typeof score === 'number' && typeof weight === 'number' ? score * weight : score
      }),
    ),
  )
}

/** Unweighted scores, by name; by agent and name where several agents are trained. */
function componentsOf(own: readonly Row[]): Part[] {
  return own.flatMap((trace, at) =>
    Object.entries(asRow(trace.rewards) ?? {}).map(([name, reward]) => {
      const score = rewardValue(asRow(reward)?.score)
      const agent = asText(asRow(trace.agent)?.name) ?? `agent ${at + 1}`
      return { name: own.length === 1 ? name : `${agent}: ${name}`, value: typeof score === 'number' ? score : null }
    }),
  )
}

function standingOf(episode: Row, own: readonly Row[]) {
  const failed = episode.ok === false || own.some(({ ok }) => ok === false)
  if (failed || own.length === 0) {
    const errors = [...asRows(episode.errors), ...own.flatMap((trace) => asRows(trace.errors))]
    return failureOf(errors.at(-1) ?? null)
  }
  const ends = own.flatMap((trace) => endOf(trace) ?? [])
  return ends.find(({ status }) => status !== 'truncated') ?? ends[0] ?? { status: 'ok' as const, error: null }
}
