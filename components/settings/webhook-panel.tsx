'use client'
/* Owns where alarms are told: the address in force, setting another, a test, how the newest delivery ended.
   Invariant: the secret is shown once, after it was made; the address only to whoever may operate. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { FieldError } from '@/components/ui/field-error'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { reached } from '@/lib/client/reached'
import { webhookQuery } from '@/lib/client/settings'
import type { WebhookState } from '@/lib/contract/webhook'
import { deliveryWords, webhookWords } from '@/lib/view/webhook-words'
import { useMayWrite, WriteReason } from './may-write'
import type { SettingsActions } from './settings-actions'
import { WebhookForm } from './webhook-form'
import { WebhookSecret } from './webhook-secret'

const HEIGHT = 132

type Actions = Pick<SettingsActions, 'setWebhook' | 'removeWebhook' | 'testWebhook'>

interface Props {
  run: string
  now: number | null
  actions: Actions
}

function LastDelivery({ state, now }: { state: WebhookState; now: number | null }) {
  const words = now === null ? null : deliveryWords(state.last, now)
  if (words === null) return <span className="text-12 text-ink-3">No delivery yet.</span>
  return (
    <span className={words.tone === 'ok' ? 'text-12 text-ink-2' : 'text-12 text-bad wrap-anywhere'}>{words.text}</span>
  )
}

function WebhookControls({ run, now, actions, state }: Props & { state: WebhookState }) {
  const client = useQueryClient()
  const { may, reason } = useMayWrite()
  const [busy, setBusy] = useState<boolean>(false)
  const [error, setError] = useState<string | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const reload = () => client.invalidateQueries({ queryKey: webhookQuery(run).queryKey })
  const act = async (work: () => ReturnType<Actions['testWebhook']>) => {
    setBusy(true)
    const answer = await reached(work())
    setBusy(false)
    setError(answer.ok === false ? answer.message : null)
    await reload()
  }
  const set = async (url: string, given: string) => {
    const input = { url, pages: window.location.origin, ...(given === '' ? {} : { secret: given }) }
    const answer = await reached(actions.setWebhook(run, input))
    if (answer.ok === false) return answer.issues[0]?.message ?? answer.message
    setSecret(given === '' ? answer.value.secret : null)
    setError(null)
    await reload()
    return null
  }
  return (
    <div style={{ minHeight: HEIGHT }}>
      <p className="wrap-anywhere text-ink-2">{webhookWords(state)}</p>
      {may && <WebhookForm key={state.setAt} url={state.url ?? ''} set={set} />}
      {secret !== null && <WebhookSecret secret={secret} onClose={() => setSecret(null)} />}
      {state.host !== null && (
        <div className="mt-[10px] flex min-h-[28px] flex-wrap items-center gap-2" aria-live="polite">
          <LastDelivery state={state} now={now} />
          <span className="flex-1" />
          {may && (
            <>
              <Button disabled={busy === true} onClick={() => void act(() => actions.testWebhook(run))}>
                Send a test
              </Button>
              <Button
                kind="quiet"
                disabled={busy === true}
                onClick={() => {
                  setSecret(null)
                  void act(() => actions.removeWebhook(run))
                }}
              >
                Tell nobody
              </Button>
            </>
          )}
        </div>
      )}
      <FieldError>{error}</FieldError>
      <WriteReason reason={reason} />
    </div>
  )
}

export function WebhookPanel(props: Props) {
  const { data, error, refetch } = useQuery(webhookQuery(props.run))
  return (
    <Panel title="Webhook" sub="the server sends to it, also behind a firewall" span={12}>
      {data === undefined && error === null && <LoadingState height={HEIGHT} />}
      {data === undefined && error !== null && (
        <ErrorState title="Could not load where alarms are told" height={HEIGHT} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data !== undefined && <WebhookControls {...props} state={data} />}
    </Panel>
  )
}
