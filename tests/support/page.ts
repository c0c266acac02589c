/**
 * A page that is signed in, and whose console must stay silent.
 */
import { expect, type Page } from '@playwright/test'
import type { TestServer } from './server'

/** Opens the address that the server prints at its start. The token becomes a cookie and leaves the address bar. */
export async function signIn(page: Page, server: TestServer): Promise<void> {
  await page.goto(`${server.url}/?token=${server.token}`)
  await expect(page).toHaveURL(`${server.url}/`)
}

/** Collects what the console and uncaught errors say, except that software rendering is slow. */
export function listenTo(page: Page): string[] {
  const heard: string[] = []
  page.on('console', (message) => {
    const said = message.type() === 'error' || message.type() === 'warning'
    if (said && !/GPU stall|ReadPixels/.test(message.text())) heard.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => heard.push(`uncaught: ${error.message}`))
  return heard
}
