/**
 * Starved: an environment that is not picked although it should have been.
 * Formula: due = batches since its last pick * picks a batch * max(lower quota, uniform share * its free tasks / all free tasks);
 * fires at due >= 9 and 6 batches at least, when others were picked meanwhile.
 * Why: an environment without a single pick has no evidence, so nothing else can wake it. A fixed number of batches cries wolf in
 * large task sets, where an environment's turn in the uniform epoch comes once in thirty batches: a fair draw leaves 9 due
 * picks out with probability e^-9 = .0001. Without uniform slots the draw that a quarter of them would make is the measure.
 */
import { type AlarmRule, counted, type EnvironmentFacts, percent, perEnvironment, type RunFacts } from './ring'

export const STARVED_BATCHES = 6
const DUE_PICKS = 9
const MEASURE = 0.25

/** Picks that it should have had since its last one; 0 where it has no task to pick. */
export function duePicks(run: RunFacts, facts: EnvironmentFacts, free: number): number {
  if (facts.free === 0 || free === 0) return 0
  const share = run.uniformShare > 0 ? run.uniformShare : MEASURE
  const wanted = Math.max(facts.quota.lower, (share * facts.free) / free)
  return (facts.sincePick ?? run.batch) * run.typicalBatch * wanted
}

function cause(facts: EnvironmentFacts): string {
  const broken = facts.book.contract.brokenTasks.size
  const { name } = facts
  if (broken > 0)
    return `${broken} of its ${counted(facts.tasks, 'task')} ended in verifier errors: repair the verifier of ${name}`
  if (facts.waiting > 0)
    return `${facts.waiting} of its ${counted(facts.tasks, 'task')} wait after groups without a trusted rollout: look at its failures`
  if (facts.leased >= facts.free)
    return `all of its ${counted(facts.free, 'free task')} are out: report or release them`
  if (facts.quota.upper < 0.01) return `its upper quota is ${percent(facts.quota.upper)}: raise it`
  return 'give it a lower quota or a boost'
}

export const starved: AlarmRule = (run) => {
  const free = run.environments.reduce((sum, one) => sum + one.free, 0)
  const since = (facts: EnvironmentFacts) => facts.sincePick ?? run.batch
  const anyPicked = run.environments.some((facts) => since(facts) < STARVED_BATCHES)
  if (!anyPicked || run.batch < STARVED_BATCHES) return []
  return perEnvironment(run, (facts) => {
    const due = duePicks(run, facts, free)
    if (facts.paused || since(facts) < STARVED_BATCHES || !(due >= DUE_PICKS)) return null
    const quota = facts.quota.lower > 0 ? ` although its lower quota is ${percent(facts.quota.lower)}` : ''
    return {
      kind: 'starved',
      severity: 'bad',
      title: `${facts.name} starves.`,
      sentence: `No picks for ${counted(since(facts), 'batch').replace(/batchs$/, 'batches')}${quota}, ${Math.round(due)} were due; ${cause(facts)}.`,
      ago: since(facts),
    }
  })
}
