'use client'
/* Owns the table of what a scope may do. Its rows come from the server, which reads them from its own doors. */
import { useQuery } from '@tanstack/react-query'
import { Icon } from '@/components/ui/icon'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { tokensQuery } from '@/lib/client/settings'
import { SCOPES } from '@/lib/contract/access'
import { mayDo, scopesTwin } from '@/lib/view/settings-twin'

export function ScopesPanel() {
  const { data, error, refetch } = useQuery(tokensQuery())
  return (
    <Panel
      title="What a scope may do"
      span={4}
      twin={data === undefined ? undefined : scopesTwin(data.rules)}
      api="/tokens"
      isTable
    >
      {data === undefined && error === null && <LoadingState height={236} />}
      {data === undefined && error !== null && (
        <ErrorState title="Could not load the rules" height={236} onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      )}
      {data !== undefined && (
        <table className="tbl" data-rows="small" aria-label="What a scope may do">
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">What</span>
              </th>
              {SCOPES.map((scope) => (
                <th key={scope} scope="col" className="num">
                  {scope}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.rules.map((rule) => (
              <tr key={rule.what}>
                <td>{rule.what}</td>
                {SCOPES.map((scope) => (
                  <td key={scope} className="num">
                    {mayDo(rule, scope) ? (
                      <span className="inline-flex items-center gap-1">
                        <Icon name="check" />
                        yes
                      </span>
                    ) : (
                      <span className="text-ink-3">no</span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="mt-2 text-12 text-ink-3">
        Give a trainer report, a colleague view. A script that only reads needs view, even if it is yours.
      </p>
    </Panel>
  )
}
