/* Owns how a number is written: decimals fixed by kind, thin gaps, true minus, the unit.
   Must never know a page or a language setting.
   Invariant: null and what is not finite become the words the caller gave, never 0, never a dash. */

const GAP = '\u00a0'
const MINUS = '\u2212'

/** What a number measures decides its decimals. Shares come in 0 to 1 and are written in per cent. */
export type NumberKind =
  | 'count'
  | 'variance'
  | 'error'
  | 'score'
  | 'reward'
  | 'ability'
  | 'weight'
  | 'share'
  | 'seconds'
  | 'bytes'

const DECIMALS: Record<NumberKind, number> = {
  count: 0,
  variance: 3,
  error: 3,
  score: 2,
  reward: 2,
  ability: 2,
  weight: 2,
  share: 1,
  seconds: 1,
  bytes: 1,
}

const UNITS: Partial<Record<NumberKind, string>> = { share: '%', seconds: 's', bytes: 'MB' }

const SCALE: Partial<Record<NumberKind, number>> = { share: 100, bytes: 1e-6 }

/** Writes a finite number with fixed decimals, thin gaps in thousands and a true minus; never "−0". */
export function formatFixed(value: number, decimals: number, signed = false): string {
  const text = Math.abs(value).toFixed(decimals)
  const zero = Number(text) === 0
  const [whole = '0', rest] = text.split('.')
  const grouped = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, GAP) : whole
  const sign = value < 0 && !zero ? MINUS : signed && !zero ? '+' : ''
  return rest === undefined ? `${sign}${grouped}` : `${sign}${grouped}.${rest}`
}

/** The unit of a kind, or null where the number stands alone. */
export function unitOf(kind: NumberKind): string | null {
  return UNITS[kind] ?? null
}

/** The number without its unit; `absent` are the caller's words for unknown. */
export function formatBare(
  kind: NumberKind,
  value: number | null | undefined,
  absent: string,
  options: { signed?: boolean; decimals?: number } = {},
): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return absent
  return formatFixed(value * (SCALE[kind] ?? 1), options.decimals ?? DECIMALS[kind], options.signed ?? false)
}

/** The number with its unit behind a narrow space that does not break. */
export function formatNumber(
  kind: NumberKind,
  value: number | null | undefined,
  absent: string,
  options: { signed?: boolean; decimals?: number } = {},
): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return absent
  const unit = unitOf(kind)
  const bare = formatBare(kind, value, absent, options)
  return unit === null ? bare : `${bare}\u00a0${unit}`
}

/** A difference of two shares in points, signed: 0.287 gives "+28.7". */
export function formatPoints(difference: number | null | undefined, absent: string): string {
  return formatBare('share', difference, absent, { signed: true })
}

/** A span of seconds in the largest unit that keeps it whole enough to read: "4 s", "11 min", "3 h", "3 days". */
export function formatSpan(seconds: number): string {
  const span = Math.max(0, seconds)
  if (span < 90) return `${Math.round(span)}\u00a0s`
  if (span < 90 * 60) return `${Math.round(span / 60)}\u00a0min`
  if (span < 36 * 3600) return `${Math.round(span / 3600)}\u00a0h`
  const days = Math.round(span / 86_400)
  return `${days} ${days === 1 ? 'day' : 'days'}`
}

/** How long before `now` (ms) the ISO time was: "4 s ago"; `absent` where there is none. */
export function formatAgo(iso: string | null | undefined, now: number, absent: string): string {
  if (iso === null || iso === undefined) return absent
  const then = Date.parse(iso)
  return Number.isFinite(then) ? `${formatSpan((now - then) / 1000)} ago` : absent
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Day and time of an ISO instant, in UTC so that server and browser write the same: "27 Nov 09:12". */
export function formatTime(iso: string | null | undefined, absent: string): string {
  if (iso === null || iso === undefined) return absent
  const at = new Date(iso)
  if (!Number.isFinite(at.getTime())) return absent
  const two = (n: number) => String(n).padStart(2, '0')
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}`
}

/** Time of day of an ISO instant to the second, in UTC: "14:02:07". */
export function formatClock(iso: string): string {
  const at = new Date(iso)
  return Number.isFinite(at.getTime()) ? at.toISOString().slice(11, 19) : 'n/a'
}

/** "1 task", "12 400 tasks": a count with its noun. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatFixed(count, 0)} ${count === 1 ? one : many}`
}

const SMALL = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'Eleven', 'Twelve']

/** A small count as a word, for the start of a sentence; figures from 13 on. */
export function countWord(count: number, capital: boolean): string {
  const word = SMALL[count]
  if (word === undefined) return formatFixed(count, 0)
  return capital ? word : word.toLowerCase()
}
