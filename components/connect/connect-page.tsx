'use client'
/* Owns the Connect page: what to set, what to copy, and whether it works. The watched run, recipe and mode are in the address. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useViewParam } from '@/components/shell/use-view-param'
import { ErrorState } from '@/components/ui/panel-state'
import { Guarded, Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { connectQuery } from '@/lib/client/connect'
import { isUnreached } from '@/lib/client/request'
import type { MakeToken } from '@/lib/contract/action'
import type { Recipe } from '@/lib/contract/connect'
import type { NewToken } from '@/lib/contract/token'
import { connectVerdict, lostVerdict } from '@/lib/view/connect-checks'
import { AddressPanel } from './address-panel'
import { CheckPanel } from './check-panel'
import { ModePanel } from './mode-panel'
import { RecipesPanel } from './recipes-panel'

export function ConnectPage({ recipes, makeToken }: { recipes: readonly Recipe[]; makeToken: MakeToken }) {
  const [run, setRun] = useViewParam('run')
  const [opened] = useState(Date.now)
  const [made, setMade] = useState<NewToken | null>(null)
  const { data, dataUpdatedAt, error, refetch } = useQuery(connectQuery(run, opened))
  const said =
    data === undefined
      ? null
      : error === null
        ? connectVerdict(data)
        : lostVerdict(new Date(dataUpdatedAt).toISOString(), isUnreached(error) ? null : error.message)
  return (
    <>
      <Verdict
        context={said?.context ?? 'The checks turn green by themselves, from the first call to the first report.'}
      >
        {said?.sentence ?? (error === null ? 'Looking for trainers.' : 'The live check cannot be read.')}
      </Verdict>
      <Sheet>
        <div className="col-span-7 min-w-0 max-[1000px]:col-span-12">
          <Guarded>
            <AddressPanel
              makeToken={makeToken}
              made={made}
              onMade={setMade}
              run={data?.run?.id ?? data?.runs[0]?.id ?? null}
            />
            <RecipesPanel recipes={recipes} token={made?.token ?? null} />
            <ModePanel />
          </Guarded>
        </div>
        <div className="col-span-5 min-w-0 max-[1000px]:col-span-12">
          <Guarded>
            {data === undefined && error !== null ? (
              <ErrorState height={360} title="Could not read the live check" onRetry={() => void refetch()}>
                {error.message}
              </ErrorState>
            ) : (
              <CheckPanel
                state={data ?? null}
                lost={error?.message ?? null}
                run={run}
                onRun={setRun}
                onAgain={() => void refetch()}
              />
            )}
          </Guarded>
        </div>
      </Sheet>
    </>
  )
}
