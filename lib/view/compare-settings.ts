/* Owns the settings that differ between compared runs, hand-made changes included: "0.6, 0.8 from 18". Numbers after from and to are batches. */
import type { ComparedRun } from '@/lib/contract/comparison'

export interface SettingRow {
  name: string
  /** one a run, in the order given; `changed` = a person changed it */
  cells: { text: string; changed: boolean }[]
  differs: boolean
}

/** Changes told in full; more are counted. */
const MOST_TOLD = 3

function toldChanges(run: ComparedRun, name: string): string[] {
  const changes = run.changes.filter((change) => change.setting === name)
  // a quota's change names both bounds: one that was kept is no change of it
  const real = changes.filter((change, i) => {
    const before = changes[i - 1]?.value ?? run.settings.find((setting) => setting.name === name)?.value
    return change.value !== before
  })
  const told = real.slice(0, MOST_TOLD).map(({ value, from, until }) => {
    return until === null ? `${value} from ${from}` : `${value} ${from} to ${until - 1}`
  })
  return real.length > MOST_TOLD ? [...told, `and ${real.length - MOST_TOLD} more`] : told
}

const ABSENT = new Set(['never', 'none'])
const LISTS = new Set(['paused', 'pinned', 'banned', 'boosted'])

function cellOf(run: ComparedRun, name: string): SettingRow['cells'][number] {
  const base = run.settings.find((setting) => setting.name === name)?.value
  const told = toldChanges(run, name)
  if (base === undefined) return { text: 'n/a', changed: false }
  const parts = LISTS.has(name) && ABSENT.has(base) && told.length > 0 ? told : [base, ...told]
  return { text: parts.join(', '), changed: told.length > 0 }
}

// What a scheduler does not use ("n/a") is no difference beside the scheduler itself.
function differ(cells: SettingRow['cells']): boolean {
  return new Set(cells.map(({ text }) => text).filter((text) => text !== 'n/a')).size > 1
}

/** Every setting of any run, those that differ marked; the scheduler and the seed stand first. */
export function settingRows(runs: readonly ComparedRun[]): SettingRow[] {
  const names = [...new Set(runs.flatMap((run) => run.settings.map(({ name }) => name)))]
  return names.map((name) => {
    const cells = runs.map((run) => cellOf(run, name))
    return { name, cells, differs: differ(cells) }
  })
}
