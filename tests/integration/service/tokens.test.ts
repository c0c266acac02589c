import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Principal, Scope } from '@/lib/contract/access'
import { admitStartToken, authorise, hashToken } from '@/lib/service/access'
import { makeToken, readTokens, revokeToken } from '@/lib/service/tokens'
import { listAudit } from '@/lib/store/audit'
import { findTokenByHash } from '@/lib/store/token'
import { createTestDatabase, isAvailable, stopPostgresql, type TestDatabase } from '@/tests/support/database'
import { openTestRuntime, START } from '@/tests/support/toy-run'

const DAY = 86_400_000

for (const provider of ['sqlite', 'postgresql'] as const) {
  describe.skipIf(!isAvailable(provider))(`tokens on ${provider}`, () => {
    let database: TestDatabase
    let runtime: Awaited<ReturnType<typeof openTestRuntime>>
    let mira: Principal
    beforeEach(async () => {
      database = await createTestDatabase(provider)
      runtime = await openTestRuntime(database.url, { ENVSCHED_TOKEN: 'first', ENVSCHED_AUTHOR: 'mira' })
      await admitStartToken(runtime, START)
      mira = await authorise(runtime, 'first', 'operate', START, '10.0.4.40')
    })
    afterEach(async () => {
      await runtime.end()
      await database.drop()
    })
    if (provider === 'postgresql') afterAll(stopPostgresql)

    const make = (name: string, scope: Scope, validFor: '1 day' | 'until revoked' = 'until revoked', now = START) =>
      makeToken(runtime, { name, scope, validFor }, mira, now)

    test('the text of a token is shown once; its hash is what is kept', async () => {
      const made = await make('trainer-a', 'report')
      expect(made.token).toMatch(/^es_rep_[\w-]{32}$/)
      const stored = await findTokenByHash(runtime.database.db, hashToken(made.token))
      expect(stored).toMatchObject({ name: 'trainer-a', scope: 'report', madeBy: 'mira', expiresAt: null })
      const list = await readTokens(runtime, mira, START)
      expect(JSON.stringify(list)).not.toContain(made.token)
      expect(JSON.stringify(await listAudit(runtime.database.db, { limit: 10 }))).not.toContain(made.token)
      expect(list.items.map(({ name, madeBy, startUp, yours }) => [name, madeBy, startUp, yours])).toEqual([
        ['mira', 'start-up', true, true],
        ['trainer-a', 'mira', false, false],
      ])
    })

    test('an expired token is refused from that millisecond on, and says so', async () => {
      const { token } = await make('short', 'view', '1 day')
      await expect(authorise(runtime, token, 'view', START + DAY - 1)).resolves.toMatchObject({ name: 'short' })
      await expect(authorise(runtime, token, 'view', START + DAY)).rejects.toMatchObject({
        status: 401,
        code: 'expired_token',
        message: expect.stringContaining('"short" was valid until'),
      })
      const row = (await readTokens(runtime, mira, START + DAY)).items.find(({ name }) => name === 'short')
      expect(row).toMatchObject({ expired: true })
      expect((await readTokens(runtime, mira, START + 40 * DAY)).items.map(({ name }) => name)).toEqual(['mira'])
    })

    test('last use and address are written once a minute, however many ask', async () => {
      const { token, id } = await make('busy', 'view')
      const used = async () => {
        const row = (await readTokens(runtime, mira, START)).items.find((one) => one.id === id)
        return [row?.lastUsedAt, row?.from]
      }
      const at = (ms: number) => new Date(START + ms).toISOString()
      expect(await used()).toEqual([null, null])
      await Promise.all([1, 2, 3].map((ms) => authorise(runtime, token, 'view', START + ms, `10.0.0.${ms}, 10.9.9.9`)))
      const [first, from] = await used()
      expect([at(1), at(2), at(3)]).toContain(first)
      expect(from).toMatch(/^10\.0\.0\.[123]$/)
      await authorise(runtime, token, 'view', START + 59_000, '10.0.0.8')
      expect(await used()).toEqual([first, from])
      await authorise(runtime, token, 'view', START + 61_000, '::ffff:10.0.0.9')
      expect(await used()).toEqual([at(61_000), '10.0.0.9'])
      await authorise(runtime, token, 'view', START + 200_000, '<b>no address</b>')
      expect(await used()).toEqual([at(200_000), null])
      const guest = await authorise(runtime, token, 'view', START + 200_000)
      const seen = await readTokens(runtime, guest, START)
      expect(seen.items.every((row) => row.from === null)).toBe(true)
      expect(seen.items.find((row) => row.yours)?.name).toBe('busy')
    })

    test('the last token that may operate is revoked only when it is meant', async () => {
      const revoke = (id: string, anyway = false, now = START) => revokeToken(runtime, id, { anyway }, mira, now)
      const start = (await readTokens(runtime, mira, START)).items[0]
      if (start === undefined) throw new Error('no start-up token')
      expect(start.lastToOperate).toBe(true)
      await expect(revoke(start.id)).rejects.toMatchObject({ status: 409, code: 'last_operate' })
      const second = await make('second', 'operate', '1 day')
      expect((await readTokens(runtime, mira, START)).items.some((row) => row.lastToOperate)).toBe(false)
      // one that ran out does not count
      await expect(revoke(start.id, false, START + DAY)).rejects.toMatchObject({ code: 'last_operate' })
      await revoke(start.id)
      await expect(authorise(runtime, 'first', 'view', START)).rejects.toMatchObject({ code: 'bad_token' })
      // a restart does not bring it back
      await admitStartToken(runtime, START)
      await expect(authorise(runtime, 'first', 'view', START)).rejects.toMatchObject({ code: 'bad_token' })
      await expect(revoke(second.id)).rejects.toMatchObject({ code: 'last_operate' })
      expect((await revoke(second.id, true)).items).toEqual([])
      await expect(revoke('none')).rejects.toMatchObject({ status: 404 })
      const events = (await listAudit(runtime.database.db, { limit: 10 })).items.map(({ action, actor }) => [
        action,
        actor,
      ])
      expect(events).toEqual([
        ['token.revoke', 'mira'],
        ['token.revoke', 'mira'],
        ['token.make', 'mira'],
      ])
    })

    test('names tell valid tokens apart; what cannot be made is refused with the field', async () => {
      const first = await make('ci', 'view')
      await expect(make('ci', 'report')).rejects.toMatchObject({ status: 409, code: 'name_taken' })
      await revokeToken(runtime, first.id, { anyway: false }, mira, START)
      await expect(make('ci', 'report')).resolves.toMatchObject({ name: 'ci', scope: 'report' })
      for (const body of [
        {},
        { name: ' ', scope: 'view' },
        { name: 'x', scope: 'root' },
        { name: 'x', scope: 'view', validFor: '2 days' },
      ])
        await expect(makeToken(runtime, body, mira, START)).rejects.toMatchObject({ status: 422 })
    })
  })
}
