/* Runs: what is running, what can be started. */

import { RunsPage } from '@/components/runs/runs-page'
import { startDemo, startRun } from './actions'

export default function Page() {
  return <RunsPage startDemo={startDemo} startRun={startRun} />
}
