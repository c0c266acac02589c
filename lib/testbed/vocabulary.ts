/**
 * The words of generated worlds: what acts there are, what sub-goals act on, which domains environments are named after.
 * Owns: names only. An act is the policy's shared skill (finer than a tool's role, which is all that a scheduler is told).
 * Invariant: ACTS and GOALS have the lengths that every world's tables are sized by.
 */
export type ToolRole = 'read' | 'search' | 'create' | 'update' | 'delete' | 'compute' | 'communicate'

export interface Act {
  verb: string
  role: ToolRole
  /** past participle, for the name of a verifier's check */
  done: string
  parameter: string
}

export const ACTS: readonly Act[] = [
  { verb: 'get', role: 'read', done: 'read', parameter: 'id' },
  { verb: 'list', role: 'read', done: 'listed', parameter: 'parent' },
  { verb: 'find', role: 'search', done: 'found', parameter: 'query' },
  { verb: 'filter', role: 'search', done: 'narrowed', parameter: 'criteria' },
  { verb: 'create', role: 'create', done: 'created', parameter: 'fields' },
  { verb: 'book', role: 'create', done: 'booked', parameter: 'slot' },
  { verb: 'update', role: 'update', done: 'updated', parameter: 'changes' },
  { verb: 'move', role: 'update', done: 'moved', parameter: 'target' },
  { verb: 'cancel', role: 'delete', done: 'cancelled', parameter: 'id' },
  { verb: 'calculate', role: 'compute', done: 'calculated', parameter: 'expression' },
  { verb: 'verify', role: 'compute', done: 'verified', parameter: 'claim' },
  { verb: 'send', role: 'communicate', done: 'sent', parameter: 'text' },
]

/** What a sub-goal acts on, the state it touches, and its natural act (index into ACTS), used by hand-made worlds. */
export interface GoalWord {
  object: string
  area: string
  act: number
}

export const GOAL_WORDS: readonly GoalWord[] = [
  { object: 'customer', area: 'accounts', act: 2 },
  { object: 'order', area: 'orders', act: 0 },
  { object: 'booking', area: 'orders', act: 5 },
  { object: 'payment', area: 'money', act: 4 },
  { object: 'refund', area: 'money', act: 9 },
  { object: 'address', area: 'accounts', act: 6 },
  { object: 'invoice', area: 'money', act: 0 },
  { object: 'file', area: 'files', act: 0 },
  { object: 'folder', area: 'files', act: 1 },
  { object: 'message', area: 'messages', act: 11 },
  { object: 'event', area: 'calendar', act: 4 },
  { object: 'reminder', area: 'calendar', act: 4 },
  { object: 'ticket', area: 'messages', act: 8 },
  { object: 'report', area: 'files', act: 9 },
  { object: 'price', area: 'catalogue', act: 2 },
  { object: 'stock', area: 'catalogue', act: 1 },
  { object: 'balance', area: 'money', act: 0 },
  { object: 'route', area: 'places', act: 9 },
  { object: 'profile', area: 'accounts', act: 6 },
  { object: 'setting', area: 'settings', act: 6 },
  { object: 'permission', area: 'settings', act: 10 },
  { object: 'rating', area: 'catalogue', act: 11 },
  { object: 'note', area: 'files', act: 7 },
  { object: 'subscription', area: 'orders', act: 8 },
]

/** Domains with the nouns their tools are named after. 48 domains times 4 qualifiers name up to 192 environments. */
export const DOMAINS: readonly (readonly [string, string, string, string])[] = [
  ['airline', 'flight', 'reservation', 'passenger'],
  ['retail', 'order', 'item', 'customer'],
  ['filesystem', 'file', 'folder', 'archive'],
  ['calendar', 'event', 'invite', 'slot'],
  ['banking', 'account', 'transfer', 'statement'],
  ['ticketing', 'ticket', 'queue', 'agent'],
  ['hotel', 'room', 'stay', 'guest'],
  ['vehicle', 'trip', 'sensor', 'door'],
  ['trading', 'position', 'quote', 'watchlist'],
  ['messaging', 'thread', 'contact', 'draft'],
  ['insurance', 'policy', 'claim', 'adjuster'],
  ['clinic', 'appointment', 'patient', 'prescription'],
  ['library', 'book', 'loan', 'member'],
  ['warehouse', 'pallet', 'bin', 'shipment'],
  ['payroll', 'payslip', 'employee', 'timesheet'],
  ['recruiting', 'candidate', 'opening', 'interview'],
  ['telecom', 'line', 'plan', 'device'],
  ['energy', 'meter', 'tariff', 'reading'],
  ['property', 'listing', 'viewing', 'lease'],
  ['restaurant', 'table', 'menu', 'dish'],
  ['delivery', 'parcel', 'courier', 'stop'],
  ['university', 'course', 'student', 'grade'],
  ['museum', 'exhibit', 'tour', 'visitor'],
  ['fitness', 'workout', 'class', 'trainer'],
  ['music', 'track', 'playlist', 'artist'],
  ['video', 'clip', 'channel', 'caption'],
  ['photo', 'album', 'picture', 'tag'],
  ['wiki', 'page', 'revision', 'category'],
  ['code-host', 'issue', 'branch', 'review'],
  ['build-farm', 'job', 'artifact', 'runner'],
  ['database', 'row', 'index', 'backup'],
  ['spreadsheet', 'sheet', 'cell', 'pivot'],
  ['survey', 'form', 'answer', 'panel'],
  ['forum', 'post', 'topic', 'moderator'],
  ['auction', 'lot', 'bid', 'seller'],
  ['charity', 'donation', 'campaign', 'donor'],
  ['legal', 'case', 'contract', 'clause'],
  ['tax', 'return', 'receipt', 'deduction'],
  ['customs', 'declaration', 'container', 'permit'],
  ['weather', 'station', 'forecast', 'alert'],
  ['farm', 'field', 'crop', 'harvest'],
  ['factory', 'line', 'order', 'fault'],
  ['laboratory', 'sample', 'assay', 'instrument'],
  ['pharmacy', 'drug', 'script', 'supplier'],
  ['parking', 'bay', 'permit', 'vehicle'],
  ['cinema', 'seat', 'showing', 'voucher'],
  ['bakery', 'recipe', 'batch', 'oven'],
  ['garden', 'plant', 'bed', 'watering'],
]

export const QUALIFIERS: readonly string[] = ['', 'partner', 'legacy', 'mobile']

/** People that task texts are about, so that two tasks with the same chain still read differently. */
export const PEOPLE: readonly string[] = [
  'Amara Okafor',
  'Jonas Lind',
  'Priya Nair',
  'Mateo Ruiz',
  'Hana Sato',
  'Lena Vogel',
  'Omar Haddad',
  'Chloe Martin',
  'Tomasz Zielinski',
  'Ines Carvalho',
  'Noah Bergman',
  'Mei Chen',
]
