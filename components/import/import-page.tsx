'use client'
/* Owns the Import page: the drop area, one job by its id in the address, those so far. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplayActions } from '@/components/overview/replay-panel'
import { useViewParam } from '@/components/shell/use-view-param'
import { Checkbox } from '@/components/ui/checkbox'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { Guarded, Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { importQuery, importsQuery } from '@/lib/client/import-job'
import type { StartRun } from '@/lib/contract/action'
import { importsVerdict } from '@/lib/view/import-verdict'
import { ImportDrop } from './import-drop'
import { ImportJobView } from './import-job-view'
import { ImportsPanel } from './imports-panel'

const FORMS = [
  [
    'Trainers',
    'verl, TRL, prime-rl and verifiers, SkyRL, Atropos, NeMo-Gym, NeMo-RL, rLLM, ROLL, AReaL, ART',
    'rollouts',
  ],
  ['Evaluations', 'Inspect (.json, .eval), Harbor, terminal-bench, tau-bench, tau2-bench, BFCL, ACEBench', 'rollouts'],
  ['Task sets', 'BFCL, ACEBench, tau2-bench, with functions and answers', 'a task set'],
  ['Rollout lines', 'environment, task, reward, policy_version or model', 'rollouts'],
  ['Any other table', 'you say what its columns are', 'either'],
  ['An archive', 'a run that EnvSched exported', 'the run'],
] as const

const EXAMPLE_LINE =
  '{"environment": "airline", "task": "refund/3", "policy_version": 12, "reward": 1.0, "tools": ["find_order", "refund"]}'

function Forms() {
  return (
    <Panel span={4} title="What is recognised" sub="from the rows, not the name">
      <table className="tbl" data-rows="two" aria-label="What is recognised">
        <tbody>
          {FORMS.map(([name, form, gives]) => (
            <tr key={name}>
              <td>
                {name}
                <span className="why">{form}</span>
              </td>
              <td className="num text-12 text-ink-2">{gives}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3 text-12 text-ink-3">One rollout line, for example:</p>
      <pre className="inset mt-1 p-2 text-12 whitespace-pre-wrap wrap-anywhere">
        <code>{EXAMPLE_LINE}</code>
      </pre>
    </Panel>
  )
}

function NoJob({ onStarted }: { onStarted: (id: string) => void }) {
  const [replay, setReplay] = useState(true)
  const [ask, setAsk] = useState(false)
  const jobs = useQuery(importsQuery())
  const said = importsVerdict(jobs.data?.items ?? [], jobs.data?.total ?? 0)
  return (
    <>
      <Verdict context={said.context}>
        {jobs.data === undefined && jobs.error === null ? 'Looking for imports so far.' : said.sentence}
      </Verdict>
      <Sheet>
        <Panel span={8} title="Import files" sub="one file, several of one source, or a folder">
          <ImportDrop replay={replay} ask={ask} onStarted={onStarted} />
          <p className="mt-2 flex min-h-[30px] items-center gap-2 text-12">
            <Checkbox label="Replay after the import" checked={replay} onChange={setReplay} />
            <span>
              replay after the import{' '}
              <span className="text-ink-3">
                what EnvSched would have chosen on this history; it takes seconds to minutes
              </span>
            </span>
          </p>
          <p className="flex min-h-[30px] items-center gap-2 text-12">
            <Checkbox label="Say what the columns are" checked={ask} onChange={setAsk} />
            <span>
              say what the columns are <span className="text-ink-3">also where the form is known</span>
            </span>
          </p>
        </Panel>
        <Forms />
      </Sheet>
    </>
  )
}

export function ImportPage({ startRun, replay }: { startRun: StartRun; replay: ReplayActions }) {
  const [id, setId] = useViewParam('import')
  const job = useQuery({ ...importQuery(id ?? ''), enabled: id !== null })
  return (
    <>
      {id === null && <NoJob onStarted={setId} />}
      {id !== null && job.data !== undefined && (
        <ImportJobView
          job={job.data}
          lost={job.error?.message ?? null}
          startRun={startRun}
          replay={replay}
          onClose={() => setId(null)}
        />
      )}
      {id !== null && job.data === undefined && job.error !== null && (
        <ErrorState height={420} title="Could not load this import" onRetry={() => void job.refetch()}>
          {job.error.message}
        </ErrorState>
      )}
      {id !== null && job.data === undefined && job.error === null && <LoadingState height={420} />}
      <Guarded>
        <ImportsPanel open={id} onOpen={setId} />
      </Guarded>
    </>
  )
}
