'use client'
/* Owns the Batch page: which batch is shown and which pick is open, both in the address.
   Must never know how a batch is chosen. Invariant: an opened pick holds its batch, so that a newer one never takes it away. */
import { useQuery } from '@tanstack/react-query'
import { useAddress } from '@/components/shell/use-address'
import { Button } from '@/components/ui/button'
import { ErrorState, LoadingState, NotYetState } from '@/components/ui/panel-state'
import { Guarded, Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { batchesQuery, batchQuery } from '@/lib/client/batch'
import { runQuery } from '@/lib/client/run'
import type { ProposeNext } from '@/lib/contract/action'
import type { RestorePoint } from '@/lib/contract/state'
import { type AnyBatch, batchVerdict, isIssued } from '@/lib/view/batch-verdict'
import { beganAt, supersededWords } from '@/lib/view/restore-words'
import { BatchScrubber, type Shown } from './batch-scrubber'
import { InForcePanel } from './in-force-panel'
import { LeftOutPanel } from './left-out-panel'
import { PicksPanel } from './picks-panel'
import { QuotaPanel } from './quota-panel'
import { SharesPanel } from './shares-panel'
import { SimilarityPanel } from './similarity-panel'
import { useProposal } from './use-proposal'

/** `top`: the highest number that was given, which a restore may have left behind. */
function shownOf(asked: string | null, newest: number, top: number): Shown {
  if (asked === 'next') return 'next'
  const index = asked === null ? Number.NaN : Number(asked)
  if (!Number.isInteger(index) || index < 1 || index > top + 1) return newest
  // What holds from the batch after the newest is seen in the proposal of it.
  return index === top + 1 ? 'next' : index
}

const capitalised = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)

function BatchSheet({
  run,
  batch,
  restores,
  open,
  onOpen,
  again,
}: {
  run: string
  batch: AnyBatch
  restores: readonly RestorePoint[]
  open: string | null
  onOpen: (task: string | null) => void
  again: { busy: boolean; run: () => void }
}) {
  const { answer, context } = batchVerdict(batch)
  const superseded = isIssued(batch) && batch.superseded
  const began = beganAt(restores, batch.index)
  return (
    <>
      <Verdict
        context={
          <>
            {began === null ? '' : `${began} `}
            {superseded ? `${capitalised(supersededWords(restores, batch.index))}: kept, and no longer counted. ` : ''}
            {context}
            {!isIssued(batch) && (
              <Button size="small" className="ml-2" disabled={again.busy} onClick={again.run}>
                {again.busy ? 'Proposing' : 'Propose again'}
              </Button>
            )}
          </>
        }
      >
        {answer}
      </Verdict>
      <Sheet data-superseded={superseded ? '' : undefined}>
        {batch.shares === null ? (
          <PicksPanel run={run} batch={batch} open={open} onOpen={onOpen} />
        ) : (
          <SharesPanel run={run} batch={batch} shares={batch.shares} />
        )}
        <div className="col-span-4 min-w-0 max-[1000px]:col-span-12">
          <Guarded>
            {(batch.shares === null || batch.shares.length === 0) && <LeftOutPanel run={run} batch={batch} />}
            <QuotaPanel run={run} batch={batch} />
            {batch.shares === null && <SimilarityPanel run={run} batch={batch} />}
            <InForcePanel run={run} batch={batch} />
          </Guarded>
        </div>
      </Sheet>
    </>
  )
}

export function BatchPage({ run, propose }: { run: string; propose: ProposeNext }) {
  const [address, write] = useAddress()
  const list = useQuery(batchesQuery(run))
  const detail = useQuery(runQuery(run)).data
  const mode = detail?.mode
  const restores = detail?.restores ?? []
  const batches = list.data?.items ?? []
  const newest = Math.max(0, ...batches.flatMap(({ index, superseded }) => (superseded ? [] : [index])))
  const top = Math.max(newest, ...batches.map(({ index }) => index))
  const shown = shownOf(address.get('batch'), newest, top)
  const index = shown === 'next' ? top : shown
  const issued = useQuery({ ...batchQuery(run, index), enabled: shown !== 'next' && index > 0 })
  const proposal = useProposal(run, propose, top, shown === 'next' && top > 0)

  if (list.error !== null && list.data === undefined) {
    return (
      <ErrorState title="Could not load the batches" height={320} onRetry={() => void list.refetch()}>
        {list.error.message}
      </ErrorState>
    )
  }
  if (list.data === undefined) return <LoadingState height={320} />
  if (top === 0) {
    return (
      <NotYetState title="No batch yet" height={320}>
        {mode === 'shadow'
          ? 'In shadow mode the trainer chooses and only reports. What was predicted of its groups stands on Overview.'
          : 'The first batch stands here once a trainer asks for one.'}
      </NotYetState>
    )
  }
  const query = shown === 'next' ? proposal : issued
  const batch = query.data
  return (
    <>
      <BatchScrubber
        run={run}
        batches={batches}
        newest={newest}
        next={top + 1}
        restores={restores}
        shown={shown}
        onShow={(next) => write({ batch: next === 'newest' ? null : String(next), pick: null })}
      />
      {query.error !== null && batch === undefined && (
        <ErrorState
          title={shown === 'next' ? 'Could not propose the next batch' : `Could not load batch ${index}`}
          height={320}
          onRetry={() => void query.refetch()}
        >
          {query.error.message}
        </ErrorState>
      )}
      {query.error === null && batch === undefined && <LoadingState height={420} />}
      {batch !== undefined && (
        <BatchSheet
          run={run}
          batch={batch}
          restores={restores}
          open={address.get('pick')}
          onOpen={(task) =>
            write(shown === 'next' || task === null ? { pick: task } : { pick: task, batch: String(index) }, true)
          }
          again={{ busy: proposal.isFetching, run: () => void proposal.refetch() }}
        />
      )}
    </>
  )
}
