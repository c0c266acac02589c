'use client'
/* Owns what went wrong with a rollout: the trainer's own words, since when, and the way to those like it. */
import { useState } from 'react'
import { tabPath } from '@/components/shell/run-tabs'
import { Button, ButtonLink } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { Icon } from '@/components/ui/icon'
import type { RolloutDetail } from '@/lib/contract/rollout-group'
import { formatTime } from '@/lib/view/format'
import { alikeSentence, errorHead } from '@/lib/view/rollout-words'
import { FoldBox } from './call-box'
import { LongText } from './long-text'

export function RolloutError({
  run,
  rollout,
  error,
  onAlike,
}: {
  run: string
  rollout: RolloutDetail
  error: string
  /** shows the rollouts with the same error */
  onAlike: () => void
}) {
  const [open, setOpen] = useState<boolean>(true)
  const { head, more } = errorHead(error)
  const others = rollout.alike !== null && rollout.alike.count > 1
  return (
    <section className="reader-error" aria-label="Error">
      <div className="flex items-start gap-2">
        <Icon name="warn" className="mt-[2px] flex-none text-warn" />
        <b className="min-w-0 font-medium wrap-anywhere">{head}</b>
      </div>
      <p className="mt-1 text-12 text-ink-2">
        Reported {formatTime(rollout.at, 'at an unknown time')} UTC
        {rollout.worker !== null && ` by ${rollout.worker}`}. {alikeSentence(rollout)}
      </p>
      {more && (
        <div className="mt-2">
          <FoldBox
            open={open}
            onToggle={() => setOpen((shown) => shown !== true)}
            line={<span className="call-args text-ink-2">What the trainer sent</span>}
          >
            {() => <LongText code text={error} whole={null} />}
          </FoldBox>
        </div>
      )}
      <div className="mt-2 flex flex-wrap gap-[6px]">
        <CopyButton text={error} label="Copy the error" />
        {others && (
          <Button size="small" onClick={onAlike}>
            Show those like it
          </Button>
        )}
        <ButtonLink size="small" href={tabPath(run, 'environments')}>
          Failures by environment
        </ButtonLink>
      </div>
    </section>
  )
}
