import { describe, expect, it } from 'vitest'
import { webhookInput } from '@/lib/contract/webhook'
import { deliveryWords, webhookWords } from '@/lib/view/webhook-words'

const NOW = Date.UTC(2026, 10, 29, 12)
const last = {
  at: new Date(NOW - 120_000).toISOString(),
  event: 'alarm.started',
  tries: 1,
  status: 204,
  error: null,
} as const

describe('a webhook in words', () => {
  it('says where alarms go, and how the newest delivery ended', () => {
    const none = { host: null, url: null, setBy: null, setAt: null, last: null }
    expect(webhookWords(none)).toBe('Alarms are told on the pages only.')
    expect(webhookWords({ ...none, host: 'a.org', setBy: 'mira' })).toContain('sent to a.org, set by mira.')
    expect(deliveryWords(null, NOW)).toBeNull()
    expect(deliveryWords(last, NOW)).toEqual({ tone: 'ok', text: expect.stringMatching(/^Alarm delivered .*ago\.$/) })
    const refused = { ...last, event: 'test', tries: 4, status: 500, error: 'answered 500' } as const
    expect(deliveryWords(refused, NOW)).toEqual({
      tone: 'bad',
      text: expect.stringMatching(/^Test not delivered .*ago: answered 500, 4 tries\.$/),
    })
  })

  it.each([
    'ftp://a.org/x',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '/relative',
    '',
    'http://',
    'https://user:pass@a.org/',
  ])('takes no address %s', (url) => expect(webhookInput.safeParse({ url }).success).toBe(false))

  it('takes http and https, loopback included, and only a secret that fits in a header', () => {
    for (const url of ['http://127.0.0.1:9/x?y=1', 'https://hooks.example.org/a'])
      expect(webhookInput.safeParse({ url }).success).toBe(true)
    for (const secret of ['short', 'with spaces in between', 'a'.repeat(201), 'ünïcödé-ünïcödé-ünï'])
      expect(webhookInput.safeParse({ url: 'http://a.org', secret }).success).toBe(false)
  })
})
