/* Owns which token an environment's colour is. The server gives out hues by order in the task set, stable for a run.
   Invariant: null is the shared `env-other`, never a hue. */

/** Hue 1 to 12, or null, to a CSS colour. */
export function envColour(hue: number | null): string {
  return hue !== null && hue >= 1 && hue <= 12 ? `var(--env-${hue})` : 'var(--env-other)'
}
