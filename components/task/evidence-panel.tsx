'use client'
/* Owns the evidence tree of a task, down to the groups that it came from. What is open stays open over refreshes. */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { ShareBar } from '@/components/ui/share-bar'
import { useRowKeys } from '@/components/ui/use-row-keys'
import { evidenceQuery } from '@/lib/client/task'
import type { EvidenceView } from '@/lib/contract/evidence'
import type { TaskDetail } from '@/lib/contract/task'
import { type EvidenceNode, evidenceTrack, evidenceTree, openAtFirst, openRows } from '@/lib/view/evidence-tree'
import { formatFixed } from '@/lib/view/format'
import { fadedSentence } from '@/lib/view/task-mass'
import { evidenceTwin } from '@/lib/view/task-twin'
import { EvidenceRow } from './evidence-row'

const HEIGHT = 560

function Tree({ run, evidence, nodes }: { run: string; evidence: EvidenceView; nodes: readonly EvidenceNode[] }) {
  // What a person opened or closed, over what is open at first: a refresh brings new rows, never another choice.
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [first] = useState(() => openAtFirst(nodes))
  const isOpen = ({ id }: EvidenceNode) => chosen.get(id) ?? first.has(id)
  const rows = openRows(nodes, isOpen)
  const toggle = (node: EvidenceNode) => setChosen(new Map(chosen).set(node.id, !isOpen(node)))
  const table = useRef<HTMLTableElement>(null)
  useRowKeys(
    table,
    true,
    rows.map(({ id }) => id),
    (id) => {
      const node = rows.find((candidate) => candidate.id === id)
      if (node !== undefined && node.children.length > 0) toggle(node)
    },
    () => {},
  )
  const { predictedVariance } = evidence.prediction
  const track = evidenceTrack(evidence)
  return (
    <section className="tbl-scroll" aria-label="Evidence, scrolls sideways">
      <table ref={table} className="tbl tree" aria-label="Where the prediction comes from">
        <thead>
          <tr>
            <th scope="col">source</th>
            <th scope="col" className="num">
              edge
            </th>
            <th scope="col" className="num">
              <span
                className="explained"
                title="trusted rollouts that still count: each fades with every change of the policy, so this is less than what came back"
              >
                mass left
              </span>
            </th>
            <th scope="col" className="tree-bar">
              part of the prediction
            </th>
            <th scope="col" className="num">
              variance
            </th>
            <th scope="col" className="num">
              share
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((node) => (
            <EvidenceRow key={node.id} run={run} node={node} open={isOpen(node)} onToggle={() => toggle(node)} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>sum = prediction</td>
            <td />
            <td />
            <td className="tree-bar">
              {track.against ? (
                <div className="evidence-bar" aria-hidden="true">
                  <i
                    data-sum=""
                    style={{ left: `${track.zero * 100}%`, width: `${(track.end - track.zero) * 100}%` }}
                  />
                  <b style={{ left: `${track.zero * 100}%` }} />
                </div>
              ) : (
                <ShareBar shares={evidence.shares} />
              )}
            </td>
            <td className="num font-semibold text-ink-1">{formatFixed(predictedVariance, 3)}</td>
            <td className="num font-semibold text-ink-1">
              {predictedVariance > 1e-9 ? (
                <>
                  100.0 <span className="unit">%</span>
                </>
              ) : (
                <span className="unit">n/a</span>
              )}
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

export function EvidencePanel({ run, task }: { run: string; task: TaskDetail }) {
  const { data, error, refetch } = useQuery(evidenceQuery(run, task.task.id))
  const evidence = data?.task.id === task.task.id ? data : undefined
  const nodes = evidence === undefined ? null : evidenceTree(evidence)
  const faded = evidence === undefined ? null : fadedSentence(task, evidence)
  return (
    <Panel
      title="Where the prediction comes from"
      sub={evidence === undefined ? 'down to the rollouts' : `down to the rollouts, as of batch ${evidence.batch}`}
      span={7}
      twin={nodes === null ? undefined : evidenceTwin(nodes, task.task.key)}
      api={`/runs/${run}/tasks/${task.task.id}/evidence`}
      twinHeight={HEIGHT}
    >
      {error !== null && evidence === undefined && (
        <ErrorState title="Could not load the evidence" height={HEIGHT} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {error === null && evidence === undefined && <LoadingState height={HEIGHT} />}
      {evidence !== undefined && nodes !== null && (
        <>
          <Tree key={evidence.task.id} run={run} evidence={evidence} nodes={nodes} />
          {evidenceTrack(evidence).against && (
            <p className="mt-1 text-12 text-ink-3">Hollow bars lower the prediction; the line in the sum is 0.</p>
          )}
          {faded !== null && <p className="mt-1 text-12 text-ink-3">{faded}</p>}
        </>
      )}
    </Panel>
  )
}
