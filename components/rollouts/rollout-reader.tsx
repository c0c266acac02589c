'use client'
/* Owns the reader: one rollout with its reward, its error and its conversation. Must never know the list.
   Invariant: long texts come cut and are asked for whole only by a person. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useState } from 'react'
import { tabPath } from '@/components/shell/run-tabs'
import { Button, IconButton } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { EnvTag } from '@/components/ui/env-tag'
import { ErrorState, LoadingState, NothingState } from '@/components/ui/panel-state'
import { rolloutHref, rolloutQuery, TEXT_CUT } from '@/lib/client/rollout'
import type { RolloutDetail } from '@/lib/contract/rollout-group'
import { formatFixed, formatNumber } from '@/lib/view/format'
import { costWords, countedSentence } from '@/lib/view/rollout-words'
import { LongText } from './long-text'
import { type Folds, ReaderTurns } from './reader-turns'
import { RewardChecks } from './reward-checks'
import { RolloutError } from './rollout-error'
import { RolloutStatus } from './rollout-status'

const UNPRESSED: Folds = { all: null, pressed: new Map() }

function Head({ run, rollout, onOpen }: { run: string; rollout: RolloutDetail; onOpen: (ref: string) => void }) {
  const { task, previous, next } = rollout
  return (
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="min-w-0 text-18 font-semibold wrap-anywhere">
        <Link className="no-underline hover:underline" href={tabPath(run, `tasks/${encodeURIComponent(task.id)}`)}>
          {task.key}
        </Link>
      </h3>
      <EnvTag environment={task.environment} />
      <span className="whitespace-nowrap text-ink-2">
        policy {formatFixed(rollout.policyVersion, 0)}, rollout {formatFixed(rollout.position, 0)} of{' '}
        {formatFixed(Math.max(rollout.in.result.size, rollout.in.result.returned), 0)}
        {rollout.superseded && ', superseded by a restore'}
      </span>
      <span className="ml-auto flex items-center gap-1">
        <IconButton
          size="small"
          icon="left"
          label="Previous in group"
          disabled={previous === null}
          onClick={() => previous !== null && onOpen(previous)}
        />
        <IconButton
          size="small"
          icon="right"
          label="Next in group"
          disabled={next === null}
          onClick={() => next !== null && onOpen(next)}
        />
        <span className="hide-phone ml-1 text-12 text-ink-3">
          <kbd>[</kbd> <kbd>]</kbd>
        </span>
      </span>
    </div>
  )
}

function Reward({ rollout }: { rollout: RolloutDetail }) {
  const counted = countedSentence(rollout)
  const { reward, outcome } = rollout
  return (
    <div className="reader-reward">
      <RolloutStatus status={rollout.status} />
      <span className="figure">
        <b>{formatNumber('reward', reward, 'none')}</b> reward
        {outcome !== null && `, outcome ${formatNumber('reward', outcome, 'none')}`}
      </span>
      {counted !== null && <p className="min-w-[240px] flex-1 text-ink-2">{counted}</p>}
      {(counted === null || rollout.rewardComponents.length > 0) && (
        <RewardChecks components={rollout.rewardComponents} />
      )}
    </div>
  )
}

function NoMessages({ tools }: { tools: readonly string[] }) {
  return (
    <div className="mt-3">
      <NothingState title="No messages" height={160}>
        The trainer sent none with this rollout, or they were removed to save space. Rewards and status stand above.
      </NothingState>
      {tools.length > 0 && (
        <p className="mt-2 wrap-anywhere text-ink-2">
          Tools that it reported: {tools.slice(0, 40).join(', ')}
          {tools.length > 40 && ` and ${tools.length - 40} more`}.
        </p>
      )}
    </div>
  )
}

function Conversation({
  rollout,
  folds,
  onFolds,
  whole,
}: {
  rollout: RolloutDetail
  folds: Folds
  onFolds: (folds: Folds) => void
  whole: () => void
}) {
  const { messages, left, tools } = rollout
  if (messages === null) return <NoMessages tools={tools} />
  if (messages.length === 0) return <p className="py-3 text-ink-3">The trainer sent an empty list of messages.</p>
  return (
    <ReaderTurns
      rollout={rollout}
      messages={messages}
      folds={folds}
      onFolds={onFolds}
      cutAt={left > 0 ? TEXT_CUT : null}
      whole={whole}
    />
  )
}

function Body({ run, rollout, whole }: { run: string; rollout: RolloutDetail; whole: () => void }) {
  const [folds, setFolds] = useState(UNPRESSED)
  const [shown, setShown] = useState<'conversation' | 'raw'>('conversation')
  const unfolded = folds.all === true
  return (
    <>
      <div className="reader-bar">
        <span>{costWords(rollout)}</span>
        <span className="ml-auto flex flex-wrap">
          {rollout.messages !== null && shown === 'conversation' && (
            <Button size="small" kind="quiet" onClick={() => setFolds({ all: !unfolded, pressed: new Map() })}>
              {unfolded ? 'Fold all calls' : 'Unfold all calls'}
            </Button>
          )}
          <Button size="small" kind="quiet" onClick={() => setShown(shown === 'raw' ? 'conversation' : 'raw')}>
            {shown === 'raw' ? 'Conversation' : 'Raw JSON'}
          </Button>
        </span>
      </div>
      {shown === 'raw' ? (
        <RawJson run={run} rollout={rollout} whole={whole} />
      ) : (
        <Conversation rollout={rollout} folds={folds} onFolds={setFolds} whole={whole} />
      )}
    </>
  )
}

function RawJson({ run, rollout, whole }: { run: string; rollout: RolloutDetail; whole: () => void }) {
  const { siblings: _, in: __, left, alike: ___, ...own } = rollout
  const text = JSON.stringify(own, null, 2)
  return (
    <div className="reader-raw">
      <span className="flex flex-wrap justify-end gap-1 pt-2">
        <a className="btn" data-size="small" href={rolloutHref(run, rollout.ref)}>
          Open at the API
        </a>
        <CopyButton text={text} />
      </span>
      <LongText code text={text} whole={left > 0 ? whole : null} />
    </div>
  )
}

export function RolloutReader({
  run,
  rollout: ref,
  onOpen,
  onAlike,
}: {
  run: string
  rollout: string
  onOpen: (ref: string) => void
  onAlike: (rollout: RolloutDetail) => void
}) {
  const [wanted, setWanted] = useState<string | null>(null)
  const whole = wanted === ref
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...rolloutQuery(run, ref, whole),
    placeholderData: keepPreviousData,
  })
  if (data === undefined) {
    if (error === null) return <LoadingState height={420} />
    return (
      <ErrorState title="Could not load the rollout" height={320} onRetry={() => void refetch()}>
        {error.message}
      </ErrorState>
    )
  }
  return (
    <article aria-label={`Rollout ${data.position} of ${data.task.key}`} aria-busy={isPlaceholderData}>
      <Head run={run} rollout={data} onOpen={onOpen} />
      <Reward rollout={data} />
      {data.error !== null && (
        <RolloutError key={data.ref} run={run} rollout={data} error={data.error} onAlike={() => onAlike(data)} />
      )}
      <Body key={data.ref} run={run} rollout={data} whole={() => setWanted(ref)} />
    </article>
  )
}
