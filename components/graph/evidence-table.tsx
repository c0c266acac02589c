/* Owns the table that stands for the drawn evidence: every part of the prediction, with its sum. */
import { TwinTable } from '@/components/ui/twin-table'
import type { EvidenceView } from '@/lib/contract/evidence'
import { evidenceTwin } from '@/lib/view/graph-twin'

export function EvidenceTable({ evidence, height }: { evidence: EvidenceView; height: number }) {
  const rows = evidenceTwin(evidence)
  const twin = {
    name: `evidence of ${evidence.task.key}`,
    columns: ['task', 'kind', 'edge', 'through', 'rollouts', 'share of the prediction', 'per cent'],
    rows: [
      ...rows.map((row) => [
        row.label,
        row.kind,
        row.edge,
        row.through,
        row.rollouts === null ? null : Number(row.rollouts.toFixed(1)),
        row.share,
        row.percent === null ? null : Number(row.percent.toFixed(1)),
      ]),
      ['sum = prediction', '', null, '', null, Number(evidence.prediction.predictedVariance.toFixed(4)), null],
    ],
  }
  return <TwinTable twin={twin} height={height} />
}
