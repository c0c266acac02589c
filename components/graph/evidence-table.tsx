'use client'
/* Owns the table that stands for the drawn evidence: every part of the prediction, with its sum. */
import { type Column, DataTable } from '@/components/ui/data-table'
import { SharedMark } from '@/components/ui/shared-mark'
import type { EvidenceView } from '@/lib/contract/evidence'
import { formatBare, formatFixed } from '@/lib/view/format'
import { type EvidenceTwinRow, evidenceTwin } from '@/lib/view/graph-twin'

function columnsOf(prediction: number): Column<EvidenceTwinRow>[] {
  const unknown = <span className="unit">n/a</span>
  return [
    { key: 'task', head: 'task', cell: (row) => row.label, foot: 'sum = prediction' },
    { key: 'kind', head: 'kind', cell: (row) => row.kind },
    {
      key: 'edge',
      head: 'edge',
      align: 'right',
      explain: 'Weight of the stored edge, 0 to 1; shared where evidence came through shared things alone',
      cell: (row) => {
        if (row.edge !== null) return formatFixed(row.edge, 2)
        return row.through === '' ? unknown : <SharedMark through={[row.through]} />
      },
    },
    { key: 'through', head: 'through', low: true, cell: (row) => row.through },
    {
      key: 'rollouts',
      head: 'rollouts',
      align: 'right',
      explain: 'Decayed mass of trusted rollouts',
      cell: (row) => (row.rollouts === null ? unknown : formatFixed(row.rollouts, 1)),
    },
    {
      key: 'share',
      head: 'predicted variance',
      align: 'right',
      cell: (row) => formatFixed(row.share, 4),
      foot: formatFixed(prediction, 4),
    },
    {
      key: 'percent',
      head: '%',
      align: 'right',
      cell: (row) => (row.percent === null ? unknown : formatFixed(row.percent, 1)),
      foot: formatBare('share', prediction > 0 ? 1 : null, 'n/a'),
    },
  ]
}

export function EvidenceTable({ evidence }: { evidence: EvidenceView }) {
  return (
    <DataTable
      label={`Evidence of ${evidence.task.key}`}
      columns={columnsOf(evidence.prediction.predictedVariance)}
      rows={evidenceTwin(evidence)}
      rowKey={(row) => row.id}
      size="small"
      padded
      withFoot
    />
  )
}
