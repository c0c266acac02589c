/**
 * Rollouts as a file that is written while it is read: CSV, JSON or JSON lines.
 * Invariant: the columns are the same whatever the rollouts hold; a reader that stops ends the reading.
 */
import { csvLine } from '@/lib/service/exports/csv'
import type { ExportedRollout } from '@/lib/service/exports/export-rollouts'

const COLUMNS = [
  'id',
  'ref',
  'group',
  'lease',
  'batch',
  'task.id',
  'task.key',
  'task.environment.id',
  'task.environment.key',
  'policyVersion',
  'reward',
  'outcome',
  'status',
  'trusted',
  'distrust',
  'turns',
  'tokens',
  'seconds',
  'tools',
  'rewardComponents',
  'error',
  'worker',
  'at',
]

const TYPES = { csv: 'text/csv', json: 'application/json', jsonl: 'application/x-ndjson' }

export function rolloutFile(format: keyof typeof TYPES, rollouts: AsyncGenerator<ExportedRollout>): Response {
  const encoder = new TextEncoder()
  const pieces = piecesOf(format, rollouts)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
  return new Response(body, {
    headers: {
      'content-type': `${TYPES[format]}; charset=utf-8`,
      'content-disposition': `attachment; filename="rollouts.${format}"`,
      'cache-control': 'no-store',
    },
  })
}

async function* piecesOf(
  format: keyof typeof TYPES,
  rollouts: AsyncGenerator<ExportedRollout>,
): AsyncGenerator<string, undefined> {
  if (format === 'csv') {
    yield `${COLUMNS.join(',')}\r\n`
    for await (const rollout of rollouts) yield `${csvLine(rollout, COLUMNS)}\r\n`
  } else if (format === 'jsonl') {
    for await (const rollout of rollouts) yield `${JSON.stringify(rollout)}\n`
  } else {
    let before = '['
    for await (const rollout of rollouts) {
      yield `${before}${JSON.stringify(rollout)}`
      before = ',\n'
    }
    yield before === '[' ? '[]\n' : ']\n'
  }
  return undefined
}
