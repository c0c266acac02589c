/**
 * Where the alarms of a run are told. Invariant: the secret crosses once, in the answer that made it, and never again; the
 * whole address only to whoever may operate, since it may hold a secret of its own.
 */
import { z } from 'zod'
import { alarm } from './overview'

export const WEBHOOK_EVENTS = ['alarm.started', 'alarm.ended', 'test'] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

const httpAddress = z
  .string()
  .max(2000, 'takes 2,000 characters')
  .regex(/^https?:\/\//i, 'is no http or https address')
  .refine(isHttp, 'is no http or https address')
  .refine(
    (text) => !hasUser(text),
    'holds a user name or password: give them in no address, the signature says who sends',
  )

function isHttp(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

function hasUser(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { username, password } = new URL(text)
  return username !== '' || password !== ''
}

export const webhookInput = z.strictObject({
  url: httpAddress,
  /** signs each delivery; one is made where none is given; printable characters */
  secret: z
    .string()
    .regex(/^[!-~]{16,200}$/, 'takes 16 to 200 printable characters without spaces')
    .optional(),
  /** address of the dashboard as its reader opens it, for links; the server's own where none is given */
  pages: httpAddress.optional(),
})
export type WebhookInput = z.infer<typeof webhookInput>

export const webhookDelivery = z.object({
  at: z.string(),
  event: z.enum(WEBHOOK_EVENTS),
  /** tries so far, four at most */
  tries: z.number().int(),
  /** of the newest answer, null = none came */
  status: z.number().int().nullable(),
  /** null = it was taken */
  error: z.string().nullable(),
})
export type WebhookDelivery = z.infer<typeof webhookDelivery>

/** `host` null = none is set. `url` is null for whoever may not operate, too. */
export const webhookState = z.object({
  host: z.string().nullable(),
  url: z.string().nullable(),
  setBy: z.string().nullable(),
  setAt: z.string().nullable(),
  last: webhookDelivery.nullable(),
})
export type WebhookState = z.infer<typeof webhookState>

export const webhookSet = z.object({ state: webhookState, secret: z.string() })
export type WebhookSet = z.infer<typeof webhookSet>

/** The body of a delivery. */
export const webhookBody = z.object({
  event: z.enum(WEBHOOK_EVENTS),
  /** the same for every try of one delivery */
  delivery: z.string(),
  at: z.string(),
  run: z.object({ id: z.string(), name: z.string(), batch: z.number().int() }),
  /** null in a test */
  alarm: alarm.pick({ id: true, kind: true, severity: true, environment: true, title: true, since: true }).nullable(),
  sentence: z.string(),
  /** the page that shows it */
  link: z.string(),
})
export type WebhookBody = z.infer<typeof webhookBody>
