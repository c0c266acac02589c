/* Import: files in, what came in, what did not, and the replay. */

import { startRun } from '@/app/(server)/actions'
import { cancelReplay, startReplay } from '@/app/runs/[run]/overview/actions'
import { ImportPage } from '@/components/import/import-page'

export default function Page() {
  return <ImportPage startRun={startRun} replay={{ start: startReplay, cancel: cancelReplay }} />
}
