/**
 * What a server process does before its first request. A fault here is logged; the next request tries again.
 */
import { admitStartToken } from './access'
import { dropHalfImported } from './exports/archive-import'
import { dropMadeFiles } from './exports/made-file'
import { startHousekeeping } from './housekeeping'
import { failLeftImports } from './imports/import-files'
import { faultOf, log } from './logger'
import { getRuntime, type Runtime } from './runtime'

/** Streams end with the server, which would wait for them. It is Next that ends the process: alone this would keep it. */
function stopWithSignals(runtime: Runtime): void {
  const stop = () => {
    for (const stopped of [...runtime.atStop]) stopped()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) if (process.listenerCount(signal) > 0) process.once(signal, stop)
}

export async function startServer(): Promise<void> {
  try {
    const runtime = await getRuntime()
    await admitStartToken(runtime, Date.now())
    await failLeftImports(runtime, Date.now())
    await dropHalfImported(runtime)
    await dropMadeFiles(runtime.settings.dataDir)
    startHousekeeping(runtime, Date.now)
    stopWithSignals(runtime)
    log('info', 'server_started', { database: runtime.database.provider, port: runtime.settings.port })
  } catch (cause) {
    log('error', 'start_failed', faultOf(cause))
  }
}
