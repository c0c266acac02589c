/* Owns the quota meter: ink = used, grey = the allowed range, ticks = lower and upper.
   Shares in 0 to 1. Invariant: warn within half a point of the upper quota, bad outside the range, in colour and in words. */
import { formatFixed } from '@/lib/view/format'
import { quotaState } from '@/lib/view/quota-state'

export function QuotaMeter({
  used,
  lower,
  upper,
  scale = 0.24,
  onePick = 0,
  paused = false,
  restarts = false,
}: {
  used: number
  lower: number
  upper: number
  /** The share at the right end of the track; one for a whole table. */
  scale?: number
  /** One pick as a share of the window: whole picks cannot meet a share more closely. */
  onePick?: number
  paused?: boolean
  /** The bounds are a draft that starts the window anew: the use until now is not held against them. */
  restarts?: boolean
}) {
  const at = (share: number) => `${Math.min(1, Math.max(0, share / scale)) * 100}%`
  const per = (share: number) => formatFixed(share * 100, Number.isInteger(share * 100) ? 0 : 1)
  const state = restarts === true ? 'inside' : quotaState(used, lower, upper, { paused, onePick })
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
