/* Owns where an environment's use stands against its quota. Shares 0 to 1.
   Invariant: outside means by more than one pick, since whole picks cannot meet a share more closely. */

export type QuotaState = 'inside' | 'near' | 'over' | 'under'

/** `onePick` is one pick as a share of the window; a paused environment is never under. */
export function quotaState(
  used: number,
  lower: number,
  upper: number,
  { paused, onePick }: { paused: boolean; onePick: number },
): QuotaState {
  const slack = onePick + 1e-9
  if (used > upper + slack) return 'over'
  if (used < lower - slack) return paused ? 'inside' : 'under'
  return upper < 1 && used >= upper - 0.005 ? 'near' : 'inside'
}
