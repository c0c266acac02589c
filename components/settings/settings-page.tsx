'use client'
/* Owns the Settings page: who may do what, what the disk holds, what is kept, taken away and deleted.
   Must never write but by the actions it was handed. What holds for the whole server says so in its sub. */
import { useQuery } from '@tanstack/react-query'
import { useNow } from '@/components/shell/use-now'
import { Sheet, SheetColumn } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { diskQuery, tokensQuery } from '@/lib/client/settings'
import { settingsVerdict } from '@/lib/view/settings-verdict'
import { ConfigPanel } from './config-panel'
import { DeletePanel } from './delete-panel'
import { DiskPanel } from './disk-panel'
import { ExportPanel } from './export-panel'
import { KeepPanel } from './keep-panel'
import { RunPanel } from './run-panel'
import { ScopesPanel } from './scopes-panel'
import type { SettingsActions } from './settings-actions'
import { TokensPanel } from './tokens-panel'
import { WebhookPanel } from './webhook-panel'

export function SettingsPage({ run, actions }: { run: string; actions: SettingsActions }) {
  const now = useNow()
  const tokens = useQuery(tokensQuery())
  const disk = useQuery(diskQuery(run))
  const verdict = settingsVerdict(tokens.data?.items ?? null, disk.data ?? null, now)
  return (
    <>
      <Verdict context={verdict?.context ?? 'What the run takes on disk is being added up.'}>
        {verdict?.sentence ?? (tokens.error === null ? 'Asking who may do what.' : 'Who may do what is not known now.')}
      </Verdict>
      <Sheet key={run}>
        <TokensPanel now={now} make={actions.makeToken} revoke={actions.revokeToken} />
        <ScopesPanel />
        <DiskPanel run={run} />
        <KeepPanel run={run} change={actions.changeKeep} />
        <WebhookPanel run={run} now={now} actions={actions} />
        <ExportPanel run={run} />
        <SheetColumn>
          <DeletePanel run={run} deleteRun={actions.deleteRun} dropText={actions.dropText} />
          <RunPanel run={run} patchRun={actions.patchRun} />
          <ConfigPanel run={run} />
        </SheetColumn>
      </Sheet>
    </>
  )
}
