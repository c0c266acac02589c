/**
 * Start-up work, once a process, before the first request: opens the runtime and makes the start-up token valid.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startServer } = await import('@/lib/service/start-server')
  await startServer()
}
