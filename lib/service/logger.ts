/**
 * Structured logs: one JSON object a line on standard error. Never a token, a payload or a trajectory.
 */
export function log(
  level: 'info' | 'warn' | 'error',
  event: string,
  fields: Record<string, string | number | boolean | null> = {},
): void {
  process.stderr.write(`${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })}\n`)
}

/** Message and stack of anything thrown, for `log` fields. */
export function faultOf(cause: unknown): { message: string; stack: string | null } {
  if (cause instanceof Error) return { message: cause.message, stack: cause.stack ?? null }
  return { message: String(cause), stack: null }
}
