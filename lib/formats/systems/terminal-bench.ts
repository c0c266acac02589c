/**
 * Terminal-Bench 0.x: `{run}/{task}/{trial}/results.json` of a trial and `{run}/results.json` with all of them, by one name.
 * Owns: that a trial which stands in both counts once; that failure_mode "unset" says nothing; which modes are no failure of the
 * policy; that tests are the parts of its reward; that `core:0.1.1` and `core@0.1.1` are one data set.
 */
import type { RolloutStatus } from '@/lib/contract/rollout'
import { joined, partOf, secondsBetween } from '@/lib/formats/reward-parts'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import type { Form, System } from '@/lib/formats/system'
import { asCount, asKey, asRow, asText, has, type Row } from '@/lib/formats/untyped'

const forms: readonly Form[] = [
  {
    kind: 'terminal-bench-run',
    name: 'Terminal-Bench run',
    stage: 'documents',
    recognise: (row) =>
      has(row, 'run_id', 'agent_name') && ('dataset_name' in row || 'model_name' in row) && !('results' in row),
    fields: () => [
      ['environment', 'dataset_name'],
      ['environment', 'dataset_version'],
      ['policy version', 'model_name'],
    ],
  },
  {
    kind: 'terminal-bench',
    name: 'Terminal-Bench results',
    stage: 'rollouts',
    recognise: (row) =>
      asKey(row.task_id) !== null && 'is_resolved' in row && ('trial_name' in row || 'parser_results' in row),
    fields: () => [
      ['task', 'task_id'],
      ['task text', 'instruction'],
      ['reward', 'is_resolved'],
      ['reward parts', 'parser_results'],
      ['status', 'failure_mode'],
      ['tokens', 'total_output_tokens'],
      ['seconds', 'agent_started_at'],
    ],
  },
]

const STATUS: Record<string, RolloutStatus> = {
  agent_timeout: 'truncated',
  context_length_exceeded: 'truncated',
  output_length_exceeded: 'truncated',
  test_timeout: 'verifier_error',
  parse_error: 'verifier_error',
  unknown: 'infra_error',
  unknown_agent_error: 'infra_error',
  agent_installation_failed: 'infra_error',
}

export const terminalBench: System = {
  key: 'terminal-bench',
  forms,
  begin({ draft, ladder }) {
    const taker = new RolloutTaker(draft, ladder)
    const runs = new Map<string, Row>()
    const seen = new Set<string>()
    return {
      open(kind, { name }) {
        const folders = name.split(/[\\/]/).slice(0, -1)
        if (kind === 'terminal-bench-run')
          return (row) => {
            runs.set(folders.join('/'), row)
            return null
          }
        return (row) => {
          const trial = asText(row.trial_name) ?? ''
          const run = runFolders(folders, row)
          const identity = asText(row.id) ?? JSON.stringify([run, asKey(row.task_id), trial])
          if (seen.has(identity)) return 'a trial that stands in another file too'
          const reason = take(taker, row, { run, about: runs.get(run.join('/')) ?? {} })
          if (reason === null) seen.add(identity)
          return reason
        }
      },
      finish: () => taker.finish(),
    }
  },
}

/** The folders of the run, whichever of the two levels the file lies on. */
function runFolders(folders: readonly string[], row: Row): string[] {
  const run = [...folders]
  for (const part of [asText(row.trial_name), asKey(row.task_id)]) if (part !== null && run.at(-1) === part) run.pop()
  return run
}

function take(taker: RolloutTaker, row: Row, { run, about }: { run: string[]; about: Row }): string | null {
  const task = asKey(row.task_id)
  if (task === null) return 'a trial without a task_id'
  const tests = Object.entries(asRow(row.parser_results) ?? {})
  const mode = asText(row.failure_mode)
  const status = STATUS[mode ?? ''] ?? 'ok'
  const checks = tests.map(([name]) => name)
  return taker.take({
    environment: dataSet(run, about),
    task,
    about: { text: asText(row.instruction) ?? undefined, checks },
    verifier: { kind: 'tests' },
    model: asText(about.model_name) ?? run.at(-1) ?? 'model',
    version: null,
    reward: typeof row.is_resolved === 'boolean' ? Number(row.is_resolved) : null,
    components: joined(
      tests.map(([name, result]) => partOf(name, result === 'passed' ? 1 : result === 'failed' ? 0 : null)),
    ),
    status,
    error: status === 'ok' ? null : mode,
    tokens: asCount(row.total_output_tokens),
    seconds:
      secondsBetween(row.agent_started_at, row.agent_ended_at) ??
      secondsBetween(row.trial_started_at, row.trial_ended_at),
  })
}

function dataSet(run: readonly string[], about: Row): string {
  const name = asText(about.dataset_name)
  const version = asText(about.dataset_version)
  if (name !== null) return version === null ? name : `${name}@${version}`
  const folder = run.find((part) => /^terminal-bench(?:-\w+)?[:@=]/.test(part))
  return folder === undefined ? 'terminal-bench' : folder.replace(/[:=]+/, '@')
}
