/* A run's pages: its name and tabs, its strip, its alarms. */
import type { ReactNode } from 'react'
import { patchRun } from '@/app/(server)/actions'
import { ThemeTools } from '@/app/theme-tools'
import { CompareWith } from '@/components/shell/compare-with'
import { RunAlarms } from '@/components/shell/run-alarms'
import { RunGate } from '@/components/shell/run-gate'
import { RunHead } from '@/components/shell/run-head'
import { RunPause } from '@/components/shell/run-pause'
import { RunStrip } from '@/components/shell/run-strip'
import { OverrideEffectDialog } from '@/components/steering/override-effect-dialog'
import { Guarded } from '@/components/ui/sheet'
import { quietAlarm } from './actions'

export default async function RunLayout({
  children,
  params,
}: {
  children: ReactNode
  params: Promise<{ run: string }>
}) {
  const run = decodeURIComponent((await params).run)
  return (
    <>
      <RunHead
        run={run}
        tools={
          <>
            <CompareWith run={run} />
            <RunPause run={run} patchRun={patchRun} />
            <ThemeTools />
          </>
        }
      />
      <Guarded>
        <RunStrip run={run} />
      </Guarded>
      <RunGate run={run}>
        <Guarded>
          <RunAlarms run={run} quietAlarm={quietAlarm} />
        </Guarded>
        <main className="page">{children}</main>
        <OverrideEffectDialog run={run} />
      </RunGate>
    </>
  )
}
