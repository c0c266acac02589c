/**
 * The graph page's view in its address, so that a link shows a colleague the same thing.
 * Invariant: what cannot be read is left out, never guessed; the plain view has an empty query.
 */
import { EDGE_KINDS, type EdgeFilter, type EdgeKind } from './graph-edges'

export interface Camera {
  x: number
  y: number
  ratio: number
}

export interface GraphAddress {
  /** server id of the selected task */
  task: string | null
  /** null = evidence; else the structure so many hops around it */
  hops: 1 | 2 | null
  /** server id of the neighbour whose rollouts are open */
  from: string | null
  /** least weights a person chose; null = the starting one */
  min: Record<EdgeKind, number | null>
  off: readonly EdgeKind[]
  /** server ids of hidden environments */
  hidden: readonly string[]
  /** null = the whole graph fits */
  camera: Camera | null
  table: boolean
  /** as of this batch; null = now */
  batch: number | null
  /** environments as circles by wish; above 10,000 tasks they are anyway */
  collapsed: boolean
  /** server id of the environment that stands open among circles */
  open: string | null
  /** server id of the environment whose panel is open, among circles */
  island: string | null
}

function unit(text: string | null): number | null {
  if (text === null || text.trim() === '') return null
  const value = Number(text)
  return Number.isFinite(value) && value >= 0 && value <= 1 ? value : null
}

function numbered(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
}

const named = (text: string | null) => (text === '' ? null : text)

function words(text: string | null): string[] {
  return text === null ? [] : text.split(',').filter((word) => word !== '')
}

function cameraOf(text: string | null): Camera | null {
  const parts = words(text).map(Number)
  const [x, y, ratio] = parts
  if (x === undefined || y === undefined || ratio === undefined || parts.length !== 3) return null
  return parts.every(Number.isFinite) && ratio > 0 ? { x, y, ratio } : null
}

export function readAddress(query: { get(name: string): string | null }): GraphAddress {
  const hops = query.get('hops')
  return {
    task: named(query.get('task')),
    hops: hops === '1' ? 1 : hops === '2' ? 2 : null,
    from: query.get('from'),
    min: { within: unit(query.get('within')), cross: unit(query.get('cross')) },
    off: EDGE_KINDS.filter((kind) => words(query.get('off')).includes(kind)),
    hidden: words(query.get('hide')),
    camera: cameraOf(query.get('camera')),
    table: query.get('table') === '1',
    batch: numbered(query.get('batch')),
    collapsed: query.get('level') === 'environments',
    open: named(query.get('open')),
    island: named(query.get('island')),
  }
}

/** The query string without "?", names in a fixed order. */
export function writeAddress(address: GraphAddress): string {
  const query = new URLSearchParams()
  if (address.task !== null) query.set('task', address.task)
  if (address.task !== null && address.hops !== null) query.set('hops', String(address.hops))
  if (address.task !== null && address.from !== null) query.set('from', address.from)
  for (const kind of EDGE_KINDS) {
    const min = address.min[kind]
    if (min !== null) query.set(kind, String(min))
  }
  if (address.off.length > 0) query.set('off', address.off.join(','))
  if (address.hidden.length > 0) query.set('hide', address.hidden.join(','))
  if (address.camera !== null) {
    const { x, y, ratio } = address.camera
    query.set('camera', [x, y, ratio].map((part) => Number(part.toFixed(4))).join(','))
  }
  if (address.table) query.set('table', '1')
  if (address.batch !== null) query.set('batch', String(address.batch))
  if (address.collapsed) query.set('level', 'environments')
  if (address.open !== null) query.set('open', address.open)
  if (address.island !== null && address.task === null) query.set('island', address.island)
  return query.toString().replaceAll('%2C', ',')
}

/** The filter in force: what the address says, else the starting one. */
export function filterOf(address: Pick<GraphAddress, 'min' | 'off'>, starting: EdgeFilter): EdgeFilter {
  const one = (kind: EdgeKind) => ({ on: !address.off.includes(kind), min: address.min[kind] ?? starting[kind].min })
  return { within: one('within'), cross: one('cross') }
}
