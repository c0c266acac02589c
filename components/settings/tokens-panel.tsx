'use client'
/* Owns the tokens of the server: the list, making one, the one that was just made, revoking. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useSortParam } from '@/components/shell/use-sort-param'
import { DataTable } from '@/components/ui/data-table'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState, NothingState } from '@/components/ui/panel-state'
import { tokensQuery } from '@/lib/client/settings'
import type { MakeToken, RevokeToken } from '@/lib/contract/action'
import type { NewToken, TokenRow } from '@/lib/contract/token'
import { tokensTwin } from '@/lib/view/settings-twin'
import { MakeTokenForm } from './make-token-form'
import { useMayWrite, WriteReason } from './may-write'
import { NewTokenBox } from './new-token-box'
import { RevokeDialog } from './revoke-dialog'
import { tokenColumns } from './token-columns'

export function TokensPanel({ now, make, revoke }: { now: number | null; make: MakeToken; revoke: RevokeToken }) {
  const { data, error, refetch } = useQuery(tokensQuery())
  const client = useQueryClient()
  const { may, reason } = useMayWrite()
  const [sort, setSort] = useSortParam('tokens')
  const [made, setMade] = useState<NewToken | null>(null)
  const [leaving, setLeaving] = useState<TokenRow | null>(null)
  const reload = () => client.invalidateQueries({ queryKey: ['tokens'] })
  return (
    <Panel
      title="Tokens"
      sub="of this server, all runs"
      span={8}
      twin={data === undefined ? undefined : tokensTwin(data.items)}
      isTable
      api="/tokens"
    >
      {data === undefined && error === null && <LoadingState height={66} />}
      {data === undefined && error !== null && (
        <ErrorState title="Could not load the tokens" height={128} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data !== undefined && data.items.length === 0 && (
        <NothingState title="No token is valid" height={120}>
          This page was opened with one that ended meanwhile.
        </NothingState>
      )}
      {data !== undefined && data.items.length > 0 && (
        <div className="min-h-[66px]">
          <DataTable
            label="Tokens"
            columns={tokenColumns({ now, may, onRevoke: setLeaving })}
            rows={data.items}
            rowKey={(token) => token.id}
            sort={sort}
            onSort={setSort}
            size="tight"
            keys
          />
        </div>
      )}
      {may && (
        <MakeTokenForm
          make={make}
          onMade={(token) => {
            setMade(token)
            void reload()
          }}
        />
      )}
      <WriteReason reason={reason} />
      {made !== null && <NewTokenBox token={made} onClose={() => setMade(null)} />}
      <RevokeDialog
        token={leaving}
        now={now}
        revoke={revoke}
        onClose={() => setLeaving(null)}
        onRevoked={(token) => {
          if (made?.id === token.id) setMade(null)
          void reload()
        }}
      />
    </Panel>
  )
}
