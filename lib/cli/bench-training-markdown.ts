/**
 * Training reports of several worlds as Markdown: one table a measure, arms down, worlds across.
 * Owns: the tables of lib/engine/README.md. Must never know: how the numbers came about, what they mean.
 */
import type { ArmReport, Difference, WorldReport } from '@/lib/testbed/training-report'

const shown = (value: number | null, digits = 0) => (value === null ? 'never' : value.toFixed(digits))
const plusMinus = (value: number, error: number | null, digits: number) =>
  `${value.toFixed(digits)}${error === null ? '' : ` ± ${error.toFixed(digits)}`}`

/** Bold where ahead by more than two standard errors, in italics where behind. */
function marked(difference: Difference | undefined, scale: number, digits: number): string {
  if (difference === undefined) return '–'
  const { mean, standardError, verdict } = difference
  const text = plusMinus(mean * scale, standardError === null ? null : standardError * scale, digits)
  return verdict === 'ahead' ? `**${text}**` : verdict === 'behind' ? `_${text}_` : text
}

const MEASURES: readonly { title: string; of: (arm: ArmReport) => string }[] = [
  {
    title: 'Steps to the target: median [lowest–highest]',
    of: ({ stepsToTarget: { median, low, high } }) => `${shown(median)} [${shown(low)}–${shown(high)}]`,
  },
  {
    title: 'Steps to the target: mean ± standard error, censored at one more than were made',
    of: ({ stepsToTarget: { mean, standardError } }) => plusMinus(mean, standardError, 1),
  },
  {
    title:
      'Area under the curve minus uniform’s, times 1,000 ± standard error (bold: ahead, italics: behind, by more than two)',
    of: (arm) => marked(arm.againstUniform?.area, 1000, 1),
  },
  {
    title: 'Area under the curve minus envsched’s, times 1,000 ± standard error',
    of: (arm) => marked(arm.againstEnvsched?.area, 1000, 1),
  },
  {
    title: 'Worst tenth of environments at the end: score (minus uniform’s, times 1,000 ± standard error)',
    of: (arm) => `${arm.worstEnvironment.toFixed(3)} (${marked(arm.againstUniform?.worstEnvironment, 1000, 1)})`,
  },
  { title: 'Informative share', of: (arm) => arm.informativeShare.toFixed(2) },
  {
    title: 'Lowest share of its peak that a once solved environment keeps',
    of: (arm) => shown(arm.lowestOnceSolved, 2).replace('never', '–'),
  },
]

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

function measureTable(
  worlds: readonly WorldReport[],
  arms: readonly string[],
  measure: (typeof MEASURES)[number],
): string {
  const rows = arms.map((name) =>
    line([
      name,
      ...worlds.map((world) => {
        const arm = world.arms.find((candidate) => candidate.arm === name)
        return arm === undefined ? '' : measure.of(arm)
      }),
    ]),
  )
  return [
    `**${measure.title}**`,
    '',
    line(['arm', ...worlds.map((world) => world.name)]),
    `|---|${worlds.map(() => '---:').join('|')}|`,
    ...rows,
  ].join('\n')
}

function worldLine(world: WorldReport): string {
  const stages = world.stages === 'single' ? 'single-stage groups' : `groups of ${world.stages.join(' + ')}`
  const [first, last] = [world.seeds[0], world.seeds[world.seeds.length - 1]]
  return line([
    world.name,
    `${world.seeds.length} (${first}–${last})`,
    String(world.steps),
    stages,
    world.target.toFixed(3),
    world.uniformInformativeShare.toFixed(2),
    world.bestBaseline ?? '–',
  ])
}

/** Arms in the order of the first world that has them. Empty without worlds. */
export function markdown(worlds: readonly WorldReport[]): string {
  if (worlds.length === 0) return ''
  const arms = [...new Set(worlds.flatMap((world) => world.arms.map((arm) => arm.arm)))]
  const about = [
    line(['world', 'seeds', 'steps', 'groups', 'target', 'informative, uniform full groups', 'best baseline in area']),
    '|---|---|---:|---|---:|---:|---|',
    ...worlds.map(worldLine),
  ].join('\n')
  return `${[about, ...MEASURES.map((measure) => measureTable(worlds, arms, measure))].join('\n\n')}\n`
}
