/* Owns a prediction in words and its evidence shares with their sum. Shares may be negative: the bar shows only what adds. */
import { EVIDENCE_KINDS, ShareBar, ShareKeys } from '@/components/ui/share-bar'
import type { PredictionView } from '@/lib/contract/batch'
import { formatFixed, formatNumber } from '@/lib/view/format'
import { roundToSum } from '@/lib/view/sum-rounding'

export function PredictionList({ prediction }: { prediction: PredictionView }) {
  const { shares, predictedVariance } = prediction
  const parts = roundToSum(
    EVIDENCE_KINDS.map((kind) => shares[kind]),
    Number(predictedVariance.toFixed(3)),
    3,
  )
  const rows: [string, string][] = [
    ['predicted variance', `${formatFixed(predictedVariance, 3)} ± ${formatFixed(prediction.spread, 3)}`],
    ['informative', formatNumber('share', prediction.informative, 'not yet', { decimals: 0 })],
    ['ability', formatFixed(prediction.ability, 2)],
    ['its deviation, logits', formatFixed(prediction.deviation, 2)],
  ]
  return (
    <div className="text-12">
      <dl className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-[2px]">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="whitespace-nowrap text-ink-2">{name}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-2">
        <ShareBar shares={shares} />
      </div>
      <div className="mt-[6px]">
        <ShareKeys />
      </div>
      <p className="mt-1 text-ink-2">
        {EVIDENCE_KINDS.map((kind, i) => `${kind} ${formatFixed(parts[i] ?? 0, 3)}`)
          .join(' + ')
          .replaceAll('+ −', '− ')}{' '}
        = <b>{formatFixed(predictedVariance, 3)}</b>
      </p>
    </div>
  )
}
