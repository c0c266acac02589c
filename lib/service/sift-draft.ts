/**
 * Splits a draft into what can be and what cannot, and finds the nearest possible setting for what cannot.
 * Invariant: a change is judged on top of the possible ones before it; an offered setting was asked of the engine and stands.
 */
import type { OverrideInput, Preview } from '@/lib/contract/steering'
import type { DraftChange } from '@/lib/engine/scheduler'
import { type Catalog, environmentByIdIn } from './catalog'
import { nearestChange } from './nearest-change'
import { engineChange } from './override-change'
import type { Runtime } from './runtime'
import { ServiceError } from './service-error'

/** Refusals that get an offer; a person reads no more of them at once. */
const OFFERED = 8

interface Refusal {
  index: number
  message: string
}

interface Sifted {
  accepted: DraftChange[]
  /** place in the draft of each accepted change */
  places: number[]
  refused: Refusal[]
}

/** Each refusal at its place in the draft. */
export async function sift<Input>(
  runtime: Runtime,
  run: string,
  inputs: readonly Input[],
  translate: (input: Input) => DraftChange,
): Promise<Sifted> {
  const refused: Refusal[] = []
  const named: { index: number; change: DraftChange }[] = []
  for (const [index, input] of inputs.entries()) {
    try {
      named.push({ index, change: translate(input) })
    } catch (cause) {
      if (!(cause instanceof ServiceError)) throw cause
      refused.push({ index, message: cause.message })
    }
  }
  const issues = await runtime.engine.issues(
    run,
    named.map(({ change }) => change),
  )
  const accepted: DraftChange[] = []
  const places: number[] = []
  for (const [position, { index, change }] of named.entries()) {
    const message = issues[position] ?? null
    if (message === null) {
      accepted.push(change)
      places.push(index)
    } else refused.push({ index, message })
  }
  return { accepted, places, refused: refused.sort((a, b) => a.index - b.index) }
}

/** Adds to each refusal the nearest setting that can be. */
export async function withNearest(
  runtime: Runtime,
  run: string,
  catalog: Catalog,
  changes: readonly OverrideInput[],
  { accepted, places, refused }: Sifted,
): Promise<Preview['refused']> {
  if (refused.length === 0) return []
  const quotas = (await runtime.engine.view(run)).environments.map(({ quota }) => ({ ...quota }))
  for (const { change } of accepted) {
    if (change.kind === 'quota') quotas[change.environment] = { lower: change.lower, upper: change.upper }
  }
  const offer = async ({ index }: Refusal): Promise<OverrideInput | null> => {
    const input = changes[index]
    if (input === undefined) return null
    const nearest = nearestChange(input, quotas, input.kind === 'quota' ? ordinalOf(catalog, input.target) : null)
    if (nearest === null) return null
    const before = accepted.filter((_, position) => (places[position] ?? 0) < index)
    const issues = await runtime.engine.issues(run, [...before, engineChange(catalog, nearest)])
    return (issues.at(-1) ?? null) === null ? nearest : null
  }
  const found: Preview['refused'] = []
  for (const [position, refusal] of refused.entries())
    found.push({ ...refusal, nearest: position < OFFERED ? await offer(refusal) : null })
  return found
}

function ordinalOf(catalog: Catalog, id: string): number | null {
  try {
    return environmentByIdIn(catalog, id)
  } catch (cause) {
    if (cause instanceof ServiceError) return null
    throw cause
  }
}
