/* Owns the five pictures of how a pick is made, each drawn from the numbers of one story. */
import { Key } from '@/components/ui/key'
import { RolloutSquares } from '@/components/ui/rollout-squares'
import { envColour } from '@/lib/view/env-colour'
import { formatFixed } from '@/lib/view/format'
import type { PickStory, StoryTerm } from '@/lib/view/pick-story'

/** A long key keeps both ends, since tasks of one environment often differ at the end. */
function shortKey(key: string, most: number): string {
  const end = Math.floor((most - 1) / 2)
  return key.length <= most ? key : `${key.slice(0, most - 1 - end)}…${key.slice(-end)}`
}

export function RolloutsPicture({ story }: { story: PickStory }) {
  if (story.groups.length === 0)
    return <p className="text-12 text-ink-2">No group had come back before this batch: it was chosen by the prior.</p>
  return (
    <div className="loop-lines" data-groups>
      {story.groups.flatMap((group) => [
        <span key={`${group.key} name`} title={group.key}>
          {shortKey(group.key, 15)}
        </span>,
        <span key={`${group.key} marks`}>
          <RolloutSquares
            marks={group.outcomes.slice(0, 8).map((fill) => ({ state: 'trusted', fill }))}
            label={`${group.key}: ${formatFixed(
              group.outcomes.reduce((sum, value) => sum + value, 0),
              group.outcomes.every(Number.isInteger) ? 0 : 1,
            )} of ${String(group.outcomes.length)} solved`}
          />
        </span>,
      ])}
    </div>
  )
}

/** Where neighbours stand round the task: within on the left, cross on the right. */
const PLACES = {
  within: [
    [30, 32],
    [26, 84],
    [78, 104],
    [84, 11],
  ],
  cross: [
    [162, 32],
    [166, 84],
    [124, 104],
    [118, 11],
  ],
} as const
const CENTRE = [96, 56] as const

export function EvidencePicture({ story }: { story: PickStory }) {
  const seen = { within: 0, cross: 0 }
  const most = Math.max(...story.neighbours.map((one) => Math.abs(one.share)), 1e-9)
  const placed = story.neighbours.flatMap((one) => {
    const place = PLACES[one.kind][seen[one.kind]]
    seen[one.kind] += 1
    return place === undefined ? [] : [{ ...one, x: place[0], y: place[1], named: seen[one.kind] <= 2 }]
  })
  const counts = `${String(seen.within)} within and ${String(seen.cross)} cross`
  if (placed.length === 0)
    return <p className="text-12 text-ink-2">No neighbour had told anything yet when this batch was chosen.</p>
  return (
    <svg viewBox="0 0 190 116" role="img" aria-label={`${story.task} with its strongest neighbours: ${counts}`}>
      {placed.map((one) => (
        <path
          key={`${one.key} line`}
          d={`M${CENTRE[0]} ${CENTRE[1]}L${one.x} ${one.y}`}
          stroke={`var(--rel-${one.kind})`}
          strokeWidth={1 + (4.2 * Math.abs(one.share)) / most}
          strokeDasharray={one.kind === 'cross' ? '5 3' : undefined}
        />
      ))}
      {placed.map((one) => (
        <circle key={one.key} cx={one.x} cy={one.y} r="5" fill={envColour(one.hue)} />
      ))}
      {placed.map((one) =>
        one.named === true ? (
          <text
            key={`${one.key} name`}
            x={one.kind === 'within' ? 2 : 188}
            y={one.y < CENTRE[1] ? one.y - 11 : one.y + 18}
            textAnchor={one.kind === 'within' ? 'start' : 'end'}
          >
            {shortKey(one.key, 11)}
          </text>
        ) : null,
      )}
      <circle cx={CENTRE[0]} cy={CENTRE[1]} r="6" fill={envColour(story.hue)} />
      <circle cx={CENTRE[0]} cy={CENTRE[1]} r="10" stroke="var(--text-1)" strokeWidth="2" />
    </svg>
  )
}

const WIDTH = 174
const HEIGHT = 76
const curveX = (ability: number) => 8 + Math.min(1, Math.max(0, ability)) * WIDTH
const curveY = (variance: number) => 94 - (Math.min(0.25, Math.max(0, variance)) / 0.25) * HEIGHT
const CURVE = Array.from({ length: 41 }, (_, i) => i / 40)
  .map((p, i) => `${i === 0 ? 'M' : 'L'}${curveX(p).toFixed(1)} ${curveY(p * (1 - p)).toFixed(1)}`)
  .join('')

export function VariancePicture({ story }: { story: PickStory }) {
  const [x, y] = [curveX(story.ability), curveY(story.predictedVariance)]
  const left = story.ability > 0.5
  const written = formatFixed(story.predictedVariance, 3)
  return (
    <svg
      viewBox="0 0 190 116"
      role="img"
      aria-label={`Predicted variance ${written} at an expected reward of ${formatFixed(story.ability, 2)}; 0 where none or all are solved, 0.250 at one half`}
    >
      <path d="M8 94H182" stroke="var(--line-2)" />
      <path d={CURVE} stroke="var(--series-main)" strokeWidth="1.75" />
      <path d={`M${x} 94V${y}`} stroke="var(--line-control)" strokeDasharray="2 3" />
      <circle cx={x} cy={y} r="4.5" fill="var(--surface-0)" stroke="var(--text-1)" strokeWidth="1.75" />
      <text data-ink x={left ? x - 8 : x + 8} y={Math.max(36, y + 12)} textAnchor={left ? 'end' : 'start'}>
        {written}
      </text>
      <text x="8" y="110">
        none solved
      </text>
      <text x="95" y="11" textAnchor="middle">
        half: 0.250
      </text>
      <text x="182" y="110" textAnchor="end">
        all solved
      </text>
    </svg>
  )
}

const TERM_COLOURS: Record<StoryTerm['name'], string> = {
  exploitation: 'var(--term-exploit)',
  coverage: 'var(--term-cover)',
  quota: 'var(--term-quota)',
  similarity: 'var(--term-similar)',
  recency: 'var(--term-recency)',
  override: 'var(--accent)',
  cost: 'var(--series-ref)',
}

export function TermsPicture({ story }: { story: PickStory }) {
  return (
    <div className="loop-lines" data-terms>
      {story.terms.flatMap(({ name, value }) => [
        <span key={name}>
          <Key colour={TERM_COLOURS[name]} mark={name === 'recency' ? 'hatch' : 'square'}>
            {name}
          </Key>
        </span>,
        <span key={`${name} value`} className="text-right">
          {formatFixed(value, 2, true)}
        </span>,
      ])}
      <b className="font-medium">score</b>
      <b className="text-right">{formatFixed(story.score, 2)}</b>
    </div>
  )
}

const ROW = 16
const STEP_X = 11.1

export function PicksPicture({ story }: { story: PickStory }) {
  const { hues, at, size } = story.picks
  const place = (i: number) => ({ x: 7 + (i % ROW) * STEP_X, y: 12 + Math.floor(i / ROW) * 20 })
  const ring = at < 0 ? null : place(at)
  const rows = Math.max(1, Math.ceil(hues.length / ROW))
  const written = `${formatFixed(size, 0)} ${size === 1 ? 'pick' : 'picks'}`
  return (
    <svg viewBox="0 0 190 116" role="img" aria-label={`${written}, coloured by environment, ${story.task} ringed`}>
      {hues.map((hue, i) => (
        <rect key={`${String(i)}`} {...place(i)} width="8.6" height="15" fill={envColour(hue)} />
      ))}
      {ring !== null && (
        <rect x={ring.x - 2.5} y={ring.y - 2.5} width="13.6" height="20" stroke="var(--text-1)" strokeWidth="2" />
      )}
      <text x="7" y={14 + rows * 20 + 14}>
        {hues.length < size ? `${String(hues.length)} of ${written}` : written}
      </text>
    </svg>
  )
}
