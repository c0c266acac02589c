/**
 * Trials of Reflexion: a list of environments a file, `…trial_{n}.json`. Owns: that a trial is a policy version (it has what it wrote
 * after the ones before); that an environment once solved is not rolled out again and its mark is only carried on.
 */
import { placeOf, stemOf } from '@/lib/formats/file-place'
import { rewardValue } from '@/lib/formats/reward-value'
import { RolloutTaker } from '@/lib/formats/rollout-taker'
import { type Field, type Intake, type Session, type System, type Take, unused } from '@/lib/formats/system'
import { asKey, asList, type Row } from '@/lib/formats/untyped'

const TRIAL = /_?(?:env_results_)?trial_(\d{1,6})$/
const GENERIC = /^(?:env_results|results)?$/i

const FIELDS: readonly Field[] = [
  ['environment', '(the name of the file, else its folder)'],
  ['task', 'name'],
  ['policy version', '(the trial in the name of the file)'],
  ['reward', 'is_success'],
]

interface Trial {
  file: string
  number: number | null
  row: Row
  line: number
}

export const reflexion: System = {
  key: 'reflexion',
  forms: [
    {
      kind: 'reflexion',
      name: 'Reflexion trials',
      stage: 'rollouts',
      recognise: (row) => asKey(row.name) !== null && 'is_success' in row && asList(row.memory) !== null,
      fields: (row) => [...FIELDS, ...unused(row, FIELDS)],
    },
  ],
  begin: (intake) => new Trials(intake),
}

class Trials implements Session {
  private readonly trials: Trial[] = []

  constructor(private readonly intake: Intake) {}

  open(_kind: string, { name }: { name: string }): Take {
    const digits = TRIAL.exec(stemOf(name))?.[1]
    const number = digits === undefined ? null : Number(digits)
    return (row, line) => {
      if (asKey(row.name) === null) return 'a trial without a name'
      this.trials.push({ file: name, number, row, line })
      return null
    }
  }

  finish(): void {
    const taker = new RolloutTaker(this.intake.draft, this.intake.ladder)
    const solved = new Set<string>()
    for (const { file, number, row, line } of this.trials.sort((x, y) => (x.number ?? 0) - (y.number ?? 0))) {
      const task = asKey(row.name) ?? ''
      const { environment, run } = placeIn(file)
      const place = JSON.stringify([run, environment, task])
      const carried = number !== null && solved.has(place)
      if (row.is_success === true) solved.add(place)
      const reason = carried
        ? 'a trial that an earlier one had solved, which was not run again'
        : taker.take({
            environment,
            task,
            model: run,
            version: number,
            reward: rewardValue(row.is_success),
            turns: null,
          })
      if (reason !== null) this.intake.skip(file, reason, line)
    }
    taker.finish()
  }
}

/** A file's name before its trial is the environment, where it says something; the folder is the run. */
function placeIn(file: string): { environment: string; run: string } {
  const stem = stemOf(file).replace(TRIAL, '')
  const folder = placeOf(file)
  return { environment: GENERIC.test(stem) ? folder : stem, run: folder }
}
