/* Owns the answer of Settings: what the run takes, who may do what on the server, and when the disk is full. Invariant: a disk that is nearly full goes before tokens. */
import type { DiskUse } from '@/lib/contract/disk'
import type { TokenRow } from '@/lib/contract/token'
import { formatBytes } from './bytes'
import { countWord, formatFixed, formatSpan } from './format'
import type { VerdictText } from './runs-verdict'

const DAY = 86_400
/** A token that may steer and is not used so long is worth a look. */
const STALE_DAYS = 30
const SOON_DAYS = 7
/** A pace over less than (nearly) a day tells of a start, not of days to come; samples go back a day at most. */
const LEAST_SECONDS = 0.95 * DAY

/** Days since it was last used, or made where it never was; null while the clock of the page does not run. */
export function idleDays(token: Pick<TokenRow, 'lastUsedAt' | 'madeAt'>, now: number | null): number | null {
  const at = Date.parse(token.lastUsedAt ?? token.madeAt)
  return now === null || !Number.isFinite(at) ? null : (now - at) / 1000 / DAY
}

export function isStale(token: TokenRow, now: number | null): boolean {
  const days = idleDays(token, now)
  return token.scope === 'operate' && !token.expired && days !== null && days >= STALE_DAYS
}

/** Days until the disk is full at the pace of a day; null where that is not known or it does not grow. */
export function daysLeft({ server }: Pick<DiskUse, 'server'>): number | null {
  if (server.diskFree === null || server.growth === null || !(server.growth.bytesADay > 0)) return null
  if (!(server.growth.seconds >= LEAST_SECONDS)) return null
  return (server.diskFree + (server.freeInside ?? 0)) / server.growth.bytesADay
}

/** `after`: a clause that it follows in one sentence, or null. */
function tokenSentence(tokens: readonly TokenRow[], now: number | null, after: string | null = null): string {
  const valid = tokens.filter((token) => !token.expired)
  const count = `${countWord(valid.length, after === null)} ${valid.length === 1 ? 'token is' : 'tokens are'} valid`
  const head = after === null ? count : `${after}; ${count} on this server`
  const then = after === null ? ';' : ','
  const stale = valid.filter((token) => isStale(token, now))
  const longest = Math.max(...stale.map((token) => idleDays(token, now) ?? 0))
  if (stale.length > 0) {
    const [which, have] =
      stale.length === 1 ? ['one that may', 'has'] : [`${countWord(stale.length, false)} that may`, 'have']
    return `${head}${then} ${which} steer and delete ${have} not been used for ${formatSpan(longest * DAY)}.`
  }
  const operate = valid.filter((token) => token.scope === 'operate').length
  if (operate === 0) return `${head}${then} none may steer or delete.`
  if (valid.length === 1) return `${head}, and it may steer and delete.`
  return `${head}${then} ${countWord(operate, false)} may steer and delete.`
}

function growthWords({ server }: DiskUse): string {
  const { growth, diskFree } = server
  if (growth === null) return 'What it grows by a day is known ten minutes after the server started.'
  const over = `over the last ${formatSpan(growth.seconds)}`
  // under a kilobyte a day is the database's own breathing
  if (Math.abs(growth.bytesADay) < 1000) return `It did not grow ${over}.`
  if (growth.bytesADay < 0) return `It shrank by ${formatBytes(-growth.bytesADay, 'n/a')} a day ${over}.`
  if (growth.seconds < LEAST_SECONDS) {
    const grown = formatBytes((growth.bytesADay * growth.seconds) / DAY, 'n/a')
    return `It grew by ${grown} in the ${formatSpan(growth.seconds)} that are measured; how long the disk lasts is told from a day on.`
  }
  const days = daysLeft({ server })
  const pace = `At the pace of the last ${formatSpan(growth.seconds)} it grows by ${formatBytes(growth.bytesADay, 'n/a')} a day`
  if (diskFree === null || days === null) return `${pace}.`
  return `${pace}: full in ${days > 365 ? 'more than a year' : formatSpan(days * DAY)}${days < 60 ? ' unless text is dropped sooner' : ''}.`
}

const runTakes = (disk: DiskUse) => `This run takes ${formatBytes(disk.bytes, 'n/a')}`

/** Of the server, behind what the run takes unless that is `said`. */
export function diskContext(disk: DiskUse, said = false): string {
  const { server } = disk
  const holds =
    server.diskFree === null
      ? `The server's database holds ${formatBytes(server.used, 'n/a')}`
      : `The server holds ${formatBytes(server.used, 'n/a')}, ${formatBytes(server.diskFree, 'n/a')} are free`
  return `${said ? '' : `${runTakes(disk)}. `}${holds}. ${growthWords(disk)}`
}

/** Either may be missing while it loads. */
export function settingsVerdict(
  tokens: readonly TokenRow[] | null,
  disk: DiskUse | null,
  now: number | null,
): VerdictText | null {
  const days = disk === null ? null : daysLeft(disk)
  if (days !== null && days < SOON_DAYS && disk !== null)
    return {
      sentence: `The disk is full in ${formatSpan(days * DAY)} at this pace: drop trajectory text, or make room.`,
      context: tokens === null ? diskContext(disk) : `${tokenSentence(tokens, now)} ${diskContext(disk)}`,
    }
  if (tokens === null) return null
  if (disk === null) return { sentence: tokenSentence(tokens, now), context: null }
  return { sentence: tokenSentence(tokens, now, runTakes(disk)), context: diskContext(disk, true) }
}

export const percentOf = (part: number, whole: number): string | null =>
  whole > 0 ? formatFixed((part / whole) * 100, 1) : null
