/* Owns the quota meter: ink = used, grey = the allowed range, ticks = lower and upper.
   Shares in 0 to 1. Invariant: warn within half a point of the upper quota, bad outside the range, in colour and in words. */
import { formatFixed } from '@/lib/view/format'

export type QuotaState = 'inside' | 'near' | 'over' | 'under'

/** Where the use stands against its range; a paused environment is never under. */
export function quotaState(used: number, lower: number, upper: number, paused = false): QuotaState {
  if (used > upper + 1e-9) return 'over'
  if (used < lower - 1e-9) return paused ? 'inside' : 'under'
  return upper < 1 && used >= upper - 0.005 ? 'near' : 'inside'
}

export function QuotaMeter({
  used,
  lower,
  upper,
  scale = 0.24,
  paused = false,
}: {
  used: number
  lower: number
  upper: number
  /** The share at the right end of the track; one for a whole table. */
  scale?: number
  paused?: boolean
}) {
  const at = (share: number) => `${Math.min(1, Math.max(0, share / scale)) * 100}%`
  const per = (share: number) => formatFixed(share * 100, Number.isInteger(share * 100) ? 0 : 1)
  const state = quotaState(used, lower, upper, paused)
  const said = {
    inside: '',
    near: ', near its upper quota',
    over: ', over its upper quota',
    under: ', under its lower quota',
  }
  return (
    <div
      className="quota"
      data-state={state}
      role="img"
      aria-label={`${per(used)} % used, allowed ${per(lower)} to ${per(upper)} %${said[state]}`}
    >
      <i className="quota-track" />
      <i className="quota-band" style={{ left: at(lower), width: `calc(${at(upper)} - ${at(lower)})` }} />
      <i className="quota-use" style={{ width: at(used) }} />
      <i className="quota-mark" style={{ left: at(lower) }} />
      {upper <= scale && <i className="quota-mark" style={{ left: at(upper) }} />}
    </div>
  )
}
