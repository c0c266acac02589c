'use client'
/* Owns the drawing of a reliability diagram: a dot a bin, its interval, the perfect line. Text lies over the drawing, so that it keeps its size.
   Invariant: bins of few groups are hollow and no line runs through them. */
import { TipList } from '@/components/ui/tip-list'
import { Tooltip } from '@/components/ui/tooltip'
import type { Calibration } from '@/lib/contract/calibration'
import { niceTicks } from '@/lib/view/axis'
import { formatCount, formatFixed } from '@/lib/view/format'

type Bin = Calibration['reliability'][number]

/** Groups before a bin is a filled dot of the line. */
const FEW = 10
const MOST_PREDICTED = 0.25
/** Diameters in px; the area of a dot goes with its groups. */
const LEAST_DOT = 6
const MOST_DOT = 14
const X_TICKS = [0, 0.05, 0.1, 0.15, 0.2, 0.25]

const isFew = ({ groups }: Bin) => groups < FEW

function BinTip({ bin }: { bin: Bin }) {
  const { interval } = bin
  return (
    <TipList
      title={`Predicted ${formatFixed(bin.low, 3)} to ${formatFixed(bin.high, 3)}`}
      rows={[
        ['mean predicted', formatFixed(bin.predicted, 3)],
        ['mean realised', formatFixed(bin.realised, 3)],
        [
          '95 % interval',
          interval === null ? 'under 3 groups' : `${formatFixed(interval.low, 3)} to ${formatFixed(interval.high, 3)}`,
        ],
        ['groups', formatFixed(bin.groups, 0)],
      ]}
      computed="Each group is predicted before it is taken in. Realised: unbiased variance of its trusted rewards."
    />
  )
}

export function ReliabilityChart({ bins, height }: { bins: readonly Bin[]; height: number }) {
  const top = Math.max(
    MOST_PREDICTED,
    ...bins.map((bin) => (isFew(bin) ? bin.realised : (bin.interval?.high ?? bin.realised))),
  )
  const yTicks = niceTicks(0, top, 6)
  const yTop = yTicks.at(-1) ?? MOST_PREDICTED
  const x = (value: number) => (value / MOST_PREDICTED) * 100
  const y = (value: number) => (1 - Math.min(1, Math.max(0, value / yTop))) * 100
  const most = Math.max(1, ...bins.map(({ groups }) => groups))
  const sizeOf = ({ groups }: Bin) => Math.max(LEAST_DOT, MOST_DOT * Math.sqrt(groups / most))
  const joined = bins.map((bin, i) => {
    const before = bins[i - 1]
    return before === undefined || isFew(before) || isFew(bin) ? null : { from: before, to: bin }
  })
  const label = `Realised variance by predicted variance, ${formatCount(bins.length, 'bin')}: ${bins
    .map((bin) => `${formatFixed(bin.predicted, 3)} predicted, ${formatFixed(bin.realised, 3)} realised`)
    .join('; ')}`
  return (
    <figure
      className="chart"
      aria-label={label}
      style={{ height, '--left': '38px', '--right': '14px' } as React.CSSProperties}
    >
      <div className="chart-plot">
        <svg className="chart-lines" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {yTicks.map((tick) => (
            <path key={tick} d={`M0 ${y(tick)}H100`} stroke="var(--line-1)" />
          ))}
          <path
            d={`M0 ${y(0)}L100 ${y(MOST_PREDICTED)}`}
            stroke="var(--series-ref)"
            strokeWidth={1.25}
            strokeDasharray="5 3"
          />
          {bins.map(
            ({ low, predicted, interval }) =>
              interval !== null && (
                <path
                  key={low}
                  d={`M${x(predicted)} ${y(interval.low)}V${y(interval.high)}`}
                  stroke="var(--text-2)"
                  strokeWidth={1.25}
                />
              ),
          )}
          {joined.map(
            (pair) =>
              pair !== null && (
                <path
                  key={pair.to.low}
                  d={`M${x(pair.from.predicted)} ${y(pair.from.realised)}L${x(pair.to.predicted)} ${y(pair.to.realised)}`}
                  stroke="var(--series-main)"
                  strokeWidth={1.5}
                />
              ),
          )}
        </svg>
        <span className="chart-note" style={{ left: 10, top: 8 }}>
          realised variance
        </span>
        <span className="chart-note" style={{ right: 10, bottom: 6 }}>
          predicted variance
        </span>
        {bins.map((bin) => (
          <span
            key={bin.low}
            className="chart-bin"
            style={{ left: `${x(bin.predicted)}%`, top: `${y(bin.realised)}%` }}
          >
            <Tooltip content={<BinTip bin={bin} />} className="chart-hit">
              <i
                className="chart-dot"
                data-hollow={isFew(bin) ? '' : undefined}
                style={{ width: sizeOf(bin), height: sizeOf(bin) }}
              />
              <span className="sr-only">
                {`Predicted ${formatFixed(bin.predicted, 3)}, realised ${formatFixed(bin.realised, 3)}, ${formatCount(bin.groups, 'group')}`}
              </span>
            </Tooltip>
          </span>
        ))}
      </div>
      {yTicks.map((tick) => (
        <span key={tick} className="chart-y" style={{ top: 14 + (y(tick) / 100) * (height - 34) }}>
          {tick.toFixed(2)}
        </span>
      ))}
      <div className="chart-x">
        {X_TICKS.slice(1).map((tick) => (
          <span key={tick} style={{ left: `${x(tick)}%` }}>
            {tick.toFixed(2)}
          </span>
        ))}
      </div>
    </figure>
  )
}
