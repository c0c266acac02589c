'use client'
/* Owns the strip of the server's pages: is it up, who is live, where it listens, who is signed in. */
import { useQuery } from '@tanstack/react-query'
import { serverQuery } from '@/lib/client/run'
import { formatBare } from '@/lib/view/format'
import { useAgo } from './use-now'

export function ServerStrip() {
  const { data, error, isError } = useQuery(serverQuery())
  const ago = useAgo(data?.lastReportAt)
  if (data === undefined) {
    return (
      <div className="strip" role="status">
        <span className="strip-state">
          <i className="dot" data-status={isError ? 'failed' : 'waiting'} />
          {error?.message ?? 'Asking the server'}
        </span>
      </div>
    )
  }
  const { live, silent, all } = data.runs
  return (
    <div className="strip" role="status">
      <span className="strip-state">
        <i className="dot" data-status={isError ? 'failed' : 'live'} />
        {isError ? 'Server out of reach' : 'Server up'}
      </span>
      {all === 0 ? (
        <span>no run yet</span>
      ) : (
        <span>
          <b>{live}</b> live, <b>{silent}</b> silent
        </span>
      )}
      {ago !== null && (
        <span>
          last report <b>{ago}</b> ago
        </span>
      )}
      {data.diskBytes !== null && (
        <span className="hide-phone">
          disk <b>{formatBare('bytes', data.diskBytes, 'n/a')}</b> MB
        </span>
      )}
      <span className="hide-phone">
        {data.address}, signed in as <b>{data.signedInAs}</b>, {data.scope}
      </span>
    </div>
  )
}
