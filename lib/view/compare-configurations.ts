/* Owns which compared runs are seeds of one configuration, what a configuration is called, and which two are set against each other.
   Invariant: one configuration = the same task set and the same settings apart from the seed and from how the trainer asks. */
import type { ComparedRun } from '@/lib/contract/comparison'

export interface Configuration {
  key: string
  name: string
  runs: ComparedRun[]
}

/** Settings that runs of one configuration may differ in. */
const NOT_OF_THE_CONFIGURATION = new Set(['seed', 'picks a batch', 'rollouts a group', 'target'])

const SCHEDULER_NAMES: Record<ComparedRun['scheduler'], string> = {
  envsched: 'EnvSched',
  uniform: 'uniform',
  'env-then-task': 'env then task',
  'env-then-task-protected': 'env then task, protected',
  'env-bandit': 'bandit',
}

export function schedulerName(run: Pick<ComparedRun, 'mode' | 'scheduler'>): string {
  return run.mode === 'shadow' ? "trainer's choice" : SCHEDULER_NAMES[run.scheduler]
}

const own = (run: ComparedRun) => run.settings.filter(({ name }) => !NOT_OF_THE_CONFIGURATION.has(name))

const keyOf = (run: ComparedRun) => JSON.stringify([run.taskSet.id, own(run).map(({ name, value }) => [name, value])])

/** In the order their first runs were named. Two of one scheduler are told apart by the settings that differ. */
export function configurationsOf(runs: readonly ComparedRun[]): Configuration[] {
  const byKey = new Map<string, ComparedRun[]>()
  for (const run of runs) byKey.set(keyOf(run), [...(byKey.get(keyOf(run)) ?? []), run])
  const all = [...byKey].map(([key, list]) => ({ key, runs: list, name: '' }))
  return all.map((one) => {
    const first = one.runs[0]
    if (first === undefined) return one
    const alike = all.filter((other) => schedulerName(other.runs[0] ?? first) === schedulerName(first))
    return { ...one, name: nameAmong(one, alike) }
  })
}

// The scheduler alone, else with the task set or with what differs, else the run's name: the first that no other one has.
function nameAmong(one: Configuration, alike: readonly Configuration[]): string {
  const run = one.runs[0]
  if (run === undefined) return ''
  const name = schedulerName(run)
  if (alike.length === 1) return name
  const own = namesApart(run, alike)
  const others = alike.filter((other) => other !== one).map((other) => namesApart(other.runs[0] ?? run, alike))
  return own.find((word, i) => word !== null && others.every((other) => other[i] !== word)) ?? run.name
}

function namesApart(run: ComparedRun, alike: readonly Configuration[]): (string | null)[] {
  const name = schedulerName(run)
  const told = own(run)
    .filter((setting) => setting.name !== 'task set' && setting.value !== 'not said')
    .filter((setting) =>
      alike.some(({ runs }) => runs[0]?.settings.find((other) => other.name === setting.name)?.value !== setting.value),
    )
    .map((setting) => (setting.name === 'model' ? setting.value : `${setting.name} ${setting.value}`))
  const short = told.length > 0 && told.length <= 2 ? `${name}, ${told.join(', ')}` : null
  return [short, `${name} on ${run.taskSet.name}`]
}

/** "s1" for a short number, else the run's name. */
export function seedWord(run: Pick<ComparedRun, 'seed' | 'name'>): string {
  return /^\d{1,4}$/.test(run.seed) ? `s${run.seed}` : run.name
}

export interface ComparedPair {
  /** the first is ours, the second what it is set against, then the others */
  ordered: Configuration[]
  pair: readonly [Configuration, Configuration] | null
}

/** `of` and `minus` are ids of runs, and stand for their configurations; by default EnvSched minus uniform, else as named; those without a step come last. */
export function pairOf(given: readonly Configuration[], of: string | null, minus: string | null): ComparedPair {
  const begun = (one: Configuration) => one.runs.some((run) => run.last !== null)
  const all = [...given.filter(begun), ...given.filter((one) => !begun(one))]
  const withRun = (id: string | null) => all.find(({ runs }) => runs.some((run) => run.id === id))
  const by = (scheduler: ComparedRun['scheduler'], not?: Configuration) =>
    all.find((one) => one !== not && one.runs[0]?.scheduler === scheduler && one.runs[0].mode === 'choose')
  const theirsChosen = withRun(minus)
  const ours = withRun(of) ?? by('envsched', theirsChosen) ?? all.find((one) => one !== theirsChosen)
  if (ours === undefined) return { ordered: [], pair: null }
  const wanted = theirsChosen === ours ? undefined : theirsChosen
  const theirs = wanted ?? by('uniform', ours) ?? all.find((one) => one !== ours)
  if (theirs === undefined) return { ordered: [ours], pair: null }
  return {
    ordered: [ours, theirs, ...all.filter((one) => one !== ours && one !== theirs)],
    pair: [ours, theirs],
  }
}
