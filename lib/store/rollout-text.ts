/**
 * Looks for text in rollouts and their messages: ids, tools, errors, workers, reward components, trajectories.
 * Owns: how text lies in JSON columns. Invariant: the caller gives few groups at a time, since SQLite blocks while it looks.
 */
import { listOf } from './bulk'
import type { Db } from './database'
import { cleanText } from './table'

/** Characters that mean something in a pattern, and in JSON text. */
const escaped = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)
const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

/** Text as it lies in a column, in a JSON column, and in JSON text inside a JSON column (arguments of calls). */
function patternsOf(text: string): string[] {
  const once = inJson(text)
  return [...new Set([text, once, inJson(once)])].map((form) => `%${escaped(form)}%`)
}

/** Group by `seq` of the rollouts of the groups that hold the text somewhere; case does not matter. */
export async function rolloutsWithText(
  db: Db,
  runId: string,
  groups: readonly number[],
  text: string,
): Promise<Map<number, number>> {
  const values: unknown[] = [runId]
  const place = (value: unknown) => {
    values.push(value)
    return db.provider === 'sqlite' ? '?' : `$${values.length}`
  }
  const own = db.provider === 'sqlite' ? '?' : '$1'
  const among = listOf(db, 'int', values.push(JSON.stringify(groups)))
  const like = db.provider === 'sqlite' ? 'like' : 'ilike'
  const patterns = patternsOf(cleanText(text))
  const holds = (column: string) =>
    patterns.map((pattern) => `${column} ${like} ${place(pattern)} escape '\\'`).join(' or ')
  const columns = ['id', 'tools', 'error', 'worker', 'components'].map((name) => holds(`r."${name}"`))
  const messages = `exists (select 1 from "Trajectory" t where t."runId" = r."runId" and t."rolloutId" = r."id" and (${holds('t."messages"')}))`
  const statement = `select r."seq", r."group" from "Rollout" r where r."runId" = ${own} and r."group" in (${among}) and (${columns.join(' or ')} or ${messages})`
  const found = await db.client.$queryRawUnsafe<{ seq: number; group: number }[]>(statement, ...values)
  return new Map(found.map(({ seq, group }) => [Number(seq), Number(group)]))
}
