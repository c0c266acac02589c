/* Owns the row of squares of a group, in the order reported: filled solved, hollow failed, crossed untrusted, dashed still out.
   A graded reward in [0, 1] fills from the bottom. Of a two-stage group a gap parts the second stage, and words say what became of it. Invariant: more than `most` (ten) fold into `folded` of them and "n more". */
import type { GroupResult, Square as SquareView } from '@/lib/contract/batch'
import { stageWords } from '@/lib/view/stage-words'

type RolloutMark = Pick<SquareView, 'state' | 'fill'>

const STEP = 11
const SIDE = 8.5
/** between the two stages of a group */
const GAP = 5

function Square({ mark, x }: { mark: RolloutMark; x: number }) {
  if (mark.state === 'untrusted') {
    return <path d={`M${x + 0.25} 1l8 8M${x + 8.25} 1l-8 8`} stroke="var(--warn)" strokeWidth="1.75" />
  }
  if (mark.state === 'out') {
    return (
      <rect
        x={x}
        y=".75"
        width={SIDE}
        height={SIDE}
        fill="none"
        stroke="var(--line-control)"
        strokeWidth="1"
        strokeDasharray="2 2"
      />
    )
  }
  const fill = Math.min(1, Math.max(0, mark.fill ?? 0)) * SIDE
  return (
    <>
      <rect x={x} y=".75" width={SIDE} height={SIDE} fill="none" stroke="var(--text-1)" strokeWidth="1.5" />
      {fill > 0 && <rect x={x} y={0.75 + SIDE - fill} width={SIDE} height={fill} fill="var(--text-1)" />}
    </>
  )
}

function groupInWords(marks: readonly RolloutMark[]): string {
  const rewards = marks.flatMap((mark) => (mark.state === 'trusted' && mark.fill !== null ? [mark.fill] : []))
  const graded = rewards.some((reward) => reward > 0 && reward < 1)
  if (graded) return `rewards ${rewards.map((reward) => reward.toFixed(2)).join(', ')}`
  return `${rewards.filter((reward) => reward >= 1).length} of ${marks.length} solved`
}

interface Props {
  marks: readonly RolloutMark[]
  label?: string
  most?: number
  folded?: number
  /** of a two-stage group */
  stages?: GroupResult['stages']
  /** false where what became of the stages is said elsewhere */
  words?: boolean
}

export function RolloutSquares({ marks, label, most = 10, folded = most, stages = null, words }: Props) {
  const shown = marks.length > most ? marks.slice(0, folded) : marks
  const parted = stages === null || shown.length <= stages.first ? 0 : GAP
  const leftOf = (i: number) => 0.75 + i * STEP + (stages !== null && i >= stages.first ? parted : 0)
  const squares = (
    <svg width={shown.length * STEP + parted} height="10" role="img" aria-label={label ?? groupInWords(marks)}>
      {shown.map((mark, i) => (
        <Square key={`${String(i)}`} mark={mark} x={leftOf(i)} />
      ))}
    </svg>
  )
  const notes = [
    ...(shown.length === marks.length ? [] : [`${marks.length - shown.length} more`]),
    ...(stages === null || words === false ? [] : [stageWords(stages)]),
  ]
  if (notes.length === 0) return squares
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      {squares}
      <span className="text-12 text-ink-3">{notes.join(', ')}</span>
    </span>
  )
}
