/* Owns the legend of the rollout squares: solved, failed, untrusted, still out. */
import { RolloutSquares } from './rollout-squares'

const KEYS = [
  ['solved', { state: 'trusted', fill: 1 }],
  ['failed', { state: 'trusted', fill: 0 }],
  ['untrusted', { state: 'untrusted', fill: null }],
  ['still out', { state: 'out', fill: null }],
] as const

export function SquareKeys() {
  return (
    <div className="keys">
      {KEYS.map(([word, mark]) => (
        <span key={word} className="key">
          <span aria-hidden="true">
            <RolloutSquares marks={[mark]} label="" />
          </span>
          {word}
        </span>
      ))}
    </div>
  )
}
