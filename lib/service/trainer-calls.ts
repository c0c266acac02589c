/**
 * The newest calls of trainers that this process saw, so that Connect can say what is wrong with one.
 * Must never hold a token's text, a reward or a conversation. Owns: what is remembered, and how much.
 * Invariant: bounded in calls, runs and reasons; losing all of it loses no data.
 */
import type { Principal, Scope } from '@/lib/contract/access'
import type { RolloutsAnswer } from '@/lib/contract/rollout'

export type CallKind = 'task_set' | 'run' | 'batch' | 'report' | 'other'

export interface TrainerCall {
  /** epoch milliseconds when it came */
  at: number
  milliseconds: number
  kind: CallKind
  /** "POST /runs/x/batches" */
  call: string
  run: string | null
  status: number
  code: string | null
  message: string | null
  from: string | null
  client: string | null
  /** the name of the token, never its text */
  token: string | null
  scope: Scope | null
}

/** What a refused rollout named. */
export interface RefusedName {
  reason: string
  environment: string | null
  task: string | null
  lease: string | null
}

export interface ReportNote {
  at: number
  accepted: number
  duplicates: number
  untrusted: number
  refused: number
  /** by the shape of the reason: the first names of each, bounded, and how many there were */
  reasons: Map<string, { count: number; names: RefusedName[] }>
}

const CALLS = 500
const RUNS = 50
const REPORTS = 30
const REASONS = 20
/** Names of one reason, and of one report: a few megabytes a run at the very most. */
const NAMES = 200
const NAMES_OF_REPORT = 400
/** Signs of a text that somebody else wrote. */
const SIGNS = 500

export class TrainerCalls {
  private readonly list: TrainerCall[] = []
  private readonly byRun = new Map<string, ReportNote[]>()

  /** `since`: epoch milliseconds from which on calls are remembered. */
  constructor(readonly since: number) {}

  note(call: TrainerCall): void {
    this.list.push(call)
    if (this.list.length > CALLS) this.list.shift()
  }

  /** Oldest first. */
  calls(): readonly TrainerCall[] {
    return this.list
  }

  noteReport(run: string, items: readonly unknown[], answer: RolloutsAnswer, at: number): void {
    const notes = this.byRun.get(run) ?? []
    const { accepted, duplicates } = answer
    const untrusted = Object.values(answer.untrusted).reduce((sum, count) => sum + count, 0)
    const refused = answer.rejected.length
    notes.push({ at, accepted, duplicates, untrusted, refused, reasons: reasonsOf(items, answer) })
    if (notes.length > REPORTS) notes.shift()
    this.byRun.delete(run)
    this.byRun.set(run, notes)
    const [oldest] = this.byRun.keys()
    if (this.byRun.size > RUNS && oldest !== undefined) this.byRun.delete(oldest)
  }

  /** Oldest first; empty where none is remembered. */
  reports(run: string): readonly ReportNote[] {
    return this.byRun.get(run) ?? []
  }
}

/** The beginning, as a text of its own: a slice would keep the whole of what it was cut from. */
const own = (text: string) => (text.length <= SIGNS ? text : Buffer.from(text.slice(0, SIGNS)).toString())

/** Names differ from rollout to rollout; what is said of them does not. */
const shapeOf = (reason: string) => reason.replaceAll(/"[^"]*"/g, '""')

function reasonsOf(items: readonly unknown[], answer: RolloutsAnswer): ReportNote['reasons'] {
  const reasons: ReportNote['reasons'] = new Map()
  let names = 0
  for (const { index, reason } of answer.rejected) {
    const shape = shapeOf(reason).slice(0, SIGNS)
    const known = reasons.get(shape)
    if (known === undefined && reasons.size === REASONS) continue
    const entry = known ?? { count: 0, names: [] }
    entry.count += 1
    // a reason has one name at least
    if (entry.names.length < NAMES && (names < NAMES_OF_REPORT || entry.names.length === 0)) {
      entry.names.push({ reason: own(reason), ...namedBy(items[index]) })
      names += 1
    }
    reasons.set(shape, entry)
  }
  return reasons
}

function namedBy(item: unknown): Omit<RefusedName, 'reason'> {
  const row: Record<string, unknown> = typeof item === 'object' && item !== null ? { ...item } : {}
  const text = (value: unknown) => (typeof value === 'string' ? own(value) : null)
  return { environment: text(row.environment), task: text(row.task), lease: text(row.lease) }
}

interface Seen {
  method: string
  /** below /api/v1 */
  path: string
  client: string | null
  from: string | null
  bearer: boolean
  who: Principal | null
  status: number
  code: string | null
  message: string | null
  /** what a good call answered */
  answer: unknown
  at: number
  milliseconds: number
}

/** The call as it is remembered, or null where it is not a trainer's. Browsers carry a cookie and say what they are. */
export function trainerCall(seen: Seen): TrainerCall | null {
  const ours = seen.client?.startsWith('envsched.py') === true
  const refused = seen.status === 401 || seen.status === 403
  const browser = seen.client?.startsWith('Mozilla/') === true
  const { kind, run } = kindOf(seen)
  if (browser || (!seen.bearer && !ours && !refused)) return null
  if (kind === 'other' && !ours && !refused) return null
  const { at, milliseconds, status, code, message, from, who } = seen
  return {
    at,
    milliseconds,
    kind,
    call: `${seen.method} ${seen.path.slice(0, 200)}`,
    run: run === null ? null : own(run),
    status,
    code,
    message: message === null ? null : own(message),
    from,
    client: seen.client?.slice(0, 80) ?? null,
    token: who?.name ?? null,
    scope: who?.scope ?? null,
  }
}

function kindOf({ method, path, answer }: Seen): { kind: CallKind; run: string | null } {
  const [, first, id, last] = path.split('/')
  const run = first === 'runs' && id !== undefined && id !== '' ? decoded(id) : null
  if (method !== 'POST') return { kind: 'other', run }
  if (first === 'task-sets') return { kind: 'task_set', run: null }
  if (first === 'runs' && run === null) return { kind: 'run', run: idOf(answer) }
  if (last === 'batches') return { kind: 'batch', run }
  return { kind: last === 'rollouts' ? 'report' : 'other', run }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function idOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || !('id' in answer)) return null
  return typeof answer.id === 'string' ? answer.id : null
}
