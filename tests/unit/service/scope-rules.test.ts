import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CALLS } from '@/lib/contract/calls'
import { STEERING_SCOPE, scopeRules } from '@/lib/service/scope-rules'

const files = (folder: string, name: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const inner = path.join(folder, entry.name)
    if (entry.isDirectory()) return files(inner, name)
    return entry.name === name ? [inner] : []
  })

test('the table has every kind of right, the least scope first', () => {
  const rules = scopeRules()
  const order = rules.map(({ scope }) => ['view', 'report', 'operate'].indexOf(scope))
  expect(order).toEqual([...order].sort())
  expect(rules.map(({ what }) => what)).toEqual(
    expect.arrayContaining([
      'See pages, export',
      'Ask for batches, report',
      'Steer, pause, rename',
      'Make and revoke tokens',
    ]),
  )
})

test('each route asks for the scope that the table of calls says', () => {
  const asked = files('app/api/v1', 'route.ts').flatMap((file) => {
    const place = `/${path.relative('app/api/v1', path.dirname(file)).replaceAll('[', '{').replaceAll(']', '}')}`
    const text = readFileSync(file, 'utf8')
    return [...text.matchAll(/export const (GET|POST|PATCH|PUT|DELETE) = endpoint[^(]*\(\s*'(\w+)'/g)].map(
      ([, method, scope]) => `${String(method).toLowerCase()} ${place} ${scope}`,
    )
  })
  expect(asked.length).toBeGreaterThan(30)
  for (const { method, path: place, scope } of CALLS) expect(asked).toContain(`${method} ${place} ${scope}`)
})

test('what a person writes on a page asks to operate; only previews and proposals ask to view', () => {
  const scopes = files('app', 'actions.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/export const (\w+)[^=]*= async[\s\S]*?act\('(\w+)'/g)].map(
      ([, name, scope]) => [name, scope],
    ),
  )
  expect(Object.fromEntries(scopes)).toMatchObject({
    applyDraft: STEERING_SCOPE,
    undoOverride: STEERING_SCOPE,
    deleteRun: 'operate',
  })
  for (const [name, scope] of scopes)
    if (!/^(propose|preview)/.test(String(name))) expect(scope, String(name)).toBe('operate')
})
