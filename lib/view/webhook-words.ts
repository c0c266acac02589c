/** What the Settings page says of a webhook and its newest delivery. Pure. */
import type { WebhookDelivery, WebhookState } from '@/lib/contract/webhook'
import { formatAgo } from './format'

const EVENTS = { 'alarm.started': 'Alarm', 'alarm.ended': 'End of an alarm', test: 'Test' } as const

export interface DeliveryWords {
  tone: 'ok' | 'bad'
  text: string
}

/** One line on how the newest delivery ended; null before the first. */
export function deliveryWords(last: WebhookDelivery | null, now: number): DeliveryWords | null {
  if (last === null) return null
  const what = EVENTS[last.event]
  const tries = last.tries === 1 ? '' : `, ${last.tries} tries`
  const when = formatAgo(last.at, now, 'not yet')
  if (last.error === null) return { tone: 'ok', text: `${what} delivered ${when}${tries}.` }
  return { tone: 'bad', text: `${what} not delivered ${when}: ${last.error}${tries}.` }
}

/** Where alarms are told, for whoever may not see the address, too. */
export function webhookWords(state: WebhookState): string {
  if (state.host === null) return 'Alarms are told on the pages only.'
  return `Alarms that start and end are sent to ${state.host}, set by ${state.setBy ?? 'somebody'}.`
}
