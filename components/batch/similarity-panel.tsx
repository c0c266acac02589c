'use client'
/* Owns how alike the batch is: what each pick lost for being like others, as columns in the order chosen. */
import { Panel } from '@/components/ui/panel'
import { ZeroState } from '@/components/ui/panel-state'
import { batchApi } from '@/lib/client/batch'
import { similarityTwin } from '@/lib/view/batch-twin'
import type { AnyBatch } from '@/lib/view/batch-verdict'
import { formatFixed } from '@/lib/view/format'

const HEIGHT = 36

export function SimilarityPanel({ run, batch }: { run: string; batch: AnyBatch }) {
  const { mean, largest } = batch.insideSimilarity
  const losses = batch.pickList.map(({ position, task, terms }) => ({
    position,
    task,
    loss: Math.max(0, -terms.similarity),
  }))
  const top = Math.max(0, ...losses.map(({ loss }) => loss))
  return (
    <Panel
      title="Similarity inside the batch"
      twin={similarityTwin(batch.pickList, batch.index)}
      api={batchApi(run, batch)}
      twinHeight={HEIGHT * 5}
    >
      {top === 0 ? (
        <ZeroState title="lost by any pick" height={HEIGHT * 2}>
          No pick is like another or like a recent one.
        </ZeroState>
      ) : (
        <>
          <div
            className="sims"
            role="img"
            aria-label={`What each pick lost for being like others: at most ${formatFixed(top, 2)} of its score`}
          >
            {losses.map(({ position, task, loss }) => (
              <i
                key={position}
                title={`Pick ${position}, ${task.key}: ${formatFixed(-loss, 3)}`}
                style={{ height: `${(loss / top) * 100}%` }}
              />
            ))}
          </div>
          <div className="flex justify-between text-11 text-ink-3">
            <span>pick 1</span>
            <span>lost at most {formatFixed(top, 2)}</span>
            <span>pick {losses.length}</span>
          </div>
          <p className="text-12 text-ink-3">
            Two picks are alike by {formatFixed(mean, 2)} on average, {formatFixed(largest, 2)} at most.
          </p>
        </>
      )}
    </Panel>
  )
}
