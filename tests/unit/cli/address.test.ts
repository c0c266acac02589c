import { expect, test } from 'vitest'
import { addressOf, browserCommand, isLoopback, withToken } from '@/lib/cli/address'

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.4', false],
  ['127.0.0.1.example.com', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

test('addresses are ones that a browser can open', () => {
  expect(addressOf('127.0.0.1', 4310)).toBe('http://127.0.0.1:4310')
  expect(addressOf('0.0.0.0', 80)).toBe('http://127.0.0.1:80')
  expect(addressOf('::1', 80)).toBe('http://[::1]:80')
  expect(withToken('http://127.0.0.1:4310', 'a b')).toBe('http://127.0.0.1:4310/?token=a%20b')
})

test('no browser is opened where there is no screen', () => {
  expect(browserCommand('linux', {})).toBeNull()
  expect(browserCommand('linux', { DISPLAY: ':0' })).toEqual(['xdg-open'])
  expect(browserCommand('darwin', { SSH_CONNECTION: 'x' })).toBeNull()
  expect(browserCommand('darwin', { CI: '1' })).toBeNull()
})
