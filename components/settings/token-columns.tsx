/* Owns the columns of the table of tokens. */
import { Button } from '@/components/ui/button'
import type { Column } from '@/components/ui/data-table'
import { Icon } from '@/components/ui/icon'
import type { TokenRow } from '@/lib/contract/token'
import { formatAgo, formatSpan } from '@/lib/view/format'
import { isStale } from '@/lib/view/settings-verdict'
import { formatDay } from '@/lib/view/settings-words'

function LastUsed({ token, now }: { token: TokenRow; now: number | null }) {
  if (token.yours) return <>now, this browser</>
  if (token.lastUsedAt === null) {
    return <span className={isStale(token, now) ? 'text-warn' : 'text-ink-3'}>not yet</span>
  }
  if (now === null) return <>{formatDay(token.lastUsedAt, 'not yet')}</>
  const words = formatAgo(token.lastUsedAt, now, 'not yet')
  if (!isStale(token, now)) return <>{words}</>
  return (
    <span className="inline-flex items-center gap-1 font-medium text-warn">
      <Icon name="warn" />
      {words}
    </span>
  )
}

function ValidUntil({ token, now }: { token: TokenRow; now: number | null }) {
  if (token.validUntil === null) return <span className="text-ink-3">no end</span>
  if (token.expired) return <span className="text-ink-3">ended {formatDay(token.validUntil, 'n/a')}</span>
  const left = now === null ? Number.NaN : (Date.parse(token.validUntil) - now) / 1000
  return (
    <span title={Number.isFinite(left) ? `${formatSpan(left)} left` : undefined}>
      {formatDay(token.validUntil, 'n/a')}
    </span>
  )
}

export function tokenColumns({
  now,
  may,
  onRevoke,
}: {
  now: number | null
  may: boolean
  onRevoke: (token: TokenRow) => void
}): Column<TokenRow>[] {
  return [
    {
      key: 'name',
      head: 'name',
      sortBy: (token) => token.name,
      className: 'max-w-[170px]',
      cell: (token) => (
        <span
          className="block truncate font-medium"
          title={token.startUp ? `${token.name}, of the start-up address` : token.name}
        >
          {token.name}
          {token.startUp && <span className="ml-[6px] font-normal text-12 text-ink-3">start-up address</span>}
        </span>
      ),
    },
    { key: 'scope', head: 'scope', sortBy: (token) => token.scope, cell: (token) => token.scope },
    {
      key: 'made',
      head: 'made by',
      low: true,
      sortBy: (token) => token.madeAt,
      className: 'whitespace-nowrap',
      cell: (token) => (
        <span className="text-ink-2">
          {token.madeBy}, {formatDay(token.madeAt, 'n/a')}
        </span>
      ),
    },
    {
      key: 'until',
      head: 'valid until',
      sortBy: (token) => token.validUntil,
      className: 'whitespace-nowrap',
      cell: (token) => <ValidUntil token={token} now={now} />,
    },
    {
      key: 'used',
      head: 'last used',
      explain: 'Written down once a minute at most. In warn: may operate and has not been used for 30 days.',
      sortBy: (token) => token.lastUsedAt,
      className: 'whitespace-nowrap',
      cell: (token) => <LastUsed token={token} now={now} />,
    },
    {
      key: 'from',
      head: 'from',
      explain: 'The address of the last use, as it came with the request. Shown to tokens that may operate.',
      sortBy: (token) => token.from,
      className: 'whitespace-nowrap',
      cell: (token) =>
        token.from ?? <span className="text-ink-3">{token.lastUsedAt === null ? 'not yet' : 'n/a'}</span>,
    },
    {
      key: 'act',
      head: <span className="sr-only">Revoke</span>,
      align: 'right',
      cell: (token) =>
        may && (
          <Button size="small" kind="danger" aria-label={`Revoke ${token.name}`} onClick={() => onRevoke(token)}>
            Revoke
          </Button>
        ),
    },
  ]
}
