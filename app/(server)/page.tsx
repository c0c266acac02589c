/* Runs: what is running, what can be started. */
import { RunsPage } from '@/components/runs/runs-page'

export default function Page() {
  return <RunsPage startDemo={null} />
}
