/* Settings of a run, and of the server where a panel says so. */
import type { Metadata } from 'next'
import { patchRun } from '@/app/(server)/actions'
import { SettingsPage } from '@/components/settings/settings-page'
import {
  changeKeep,
  deleteRun,
  dropText,
  makeToken,
  removeWebhook,
  revokeToken,
  setWebhook,
  testWebhook,
} from './actions'

export const metadata: Metadata = { title: 'Settings' }

export default async function Page({ params }: { params: Promise<{ run: string }> }) {
  const run = decodeURIComponent((await params).run)
  const tokens = { makeToken, revokeToken }
  const webhook = { setWebhook, removeWebhook, testWebhook }
  return <SettingsPage run={run} actions={{ ...tokens, ...webhook, changeKeep, dropText, deleteRun, patchRun }} />
}
