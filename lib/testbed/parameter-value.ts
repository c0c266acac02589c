/**
 * Values that an agent gives to the parameters of a call, so that a transcript reads like a real one.
 * Owns: the words. Invariant: the same task and parameter give the same value, as one agent would keep to one order number.
 */
const OF_NAME: Record<string, readonly unknown[]> = {
  email: ['sam.lee@example.com', 'ana.ruiz@example.com', 'j.okafor@example.com'],
  name: ['Sam Lee', 'Ana Ruiz', 'Joy Okafor'],
  owner: ['Sam Lee', 'Ana Ruiz'],
  doctor: ['Dr. Weber', 'Dr. Nakamura'],
  contact: ['+49 30 555 0142', '+1 202 555 0117'],
  birthday: ['1987-04-12', '1992-11-03'],
  date: ['2026-03-14', '2026-04-02'],
  dates: [
    ['2026-03-14', '2026-03-17'],
    ['2026-05-02', '2026-05-09'],
  ],
  day: ['Friday', 'Tuesday'],
  week: [12, 31],
  month: ['March', 'July'],
  start: ['09:30', '14:00'],
  end: ['10:15', '15:30'],
  amount: [50, 212, 18.9, 1400],
  sum: [212, 75.5],
  value: [3, 17],
  count: [2, 12],
  limit: [120, 45],
  degrees: [21, 90],
  position: [4, 11],
  beds: [1, 2],
  stars: [3, 4],
  priority: ['high', 'normal'],
  currency: ['USD', 'EUR'],
  symbol: ['NVDA', 'SAP'],
  side: ['buy', 'sell'],
  origin: ['BER', 'JFK'],
  destination: ['LIS', 'SFO'],
  city: ['Lisbon', 'Boston'],
  near: ['station', 'harbour'],
  address: ['12 Mill Lane, Leeds', '4 Rue Haute, Lyon'],
  path: ['/home/ada/report.txt', '/srv/data/sales.csv'],
  source: ['/home/ada/draft.txt', 'inbox'],
  target: ['/home/ada/archive', 'support'],
  pattern: ['invoice*', 'TODO'],
  url: ['https://example.com/list'],
  items: [['mug', 'lamp'], ['keyboard']],
  seat: ['14C', '2A'],
  payment: ['card_4410', 'card_9027'],
  code: ['K7Q2RD', 'M3X9TL'],
}

const FIRST_ID = 1000
const IDS = 9000

/** `seed`: the task's index; `phrase`: what stands for a free text. */
export function parameterValue(name: string, seed: number, phrase: string): unknown {
  const spot = [...name].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 65_521, seed * 7919 + 17)
  if (name.endsWith('_id') || name.endsWith('_number') || name === 'id')
    return `${name[0]!.toUpperCase()}-${FIRST_ID + (spot % IDS)}`
  const values = OF_NAME[name]
  return values === undefined ? phrase : values[spot % values.length]
}
