'use client'
/* Owns the Predictions page: can I trust what is predicted, and does the graph help. */
import { useQuery } from '@tanstack/react-query'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { calibrationQuery } from '@/lib/client/run'
import { predictionsVerdict } from '@/lib/view/predictions-verdict'
import { DepthPanel } from './depth-panel'
import { ErrorPanel } from './error-panel'
import { EvidenceKindPanel } from './evidence-kind-panel'
import { GraphPanel } from './graph-panel'
import { ReliabilityPanel } from './reliability-panel'
import { WeightsPanel } from './weights-panel'

export function PredictionsPage({ run }: { run: string }) {
  const { data, error, refetch } = useQuery(calibrationQuery(run))
  if (data === undefined) {
    if (error === null) return <LoadingState height={720} />
    return (
      <ErrorState height={420} title="Could not load the predictions" onRetry={() => void refetch()}>
        {error.message}
      </ErrorState>
    )
  }
  const verdict = predictionsVerdict(data)
  return (
    <>
      <Verdict
        context={verdict.context}
        measure="Root mean square of predicted minus realised variance, over all groups that were predicted before they came back"
      >
        {verdict.sentence}
      </Verdict>
      <Sheet>
        <ReliabilityPanel run={run} calibration={data} />
        <ErrorPanel run={run} calibration={data} />
        <DepthPanel run={run} calibration={data} />
        <WeightsPanel run={run} calibration={data} />
        <EvidenceKindPanel run={run} calibration={data} />
        <GraphPanel run={run} calibration={data} />
      </Sheet>
    </>
  )
}
