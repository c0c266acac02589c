'use client'
/* Owns the live check: four checks that turn green by themselves, the cause of the one that does not, and the way on. */
import { tabPath } from '@/components/shell/run-tabs'
import { useAgo } from '@/components/shell/use-now'
import { Button, ButtonLink } from '@/components/ui/button'
import { type Check, CheckList } from '@/components/ui/check-list'
import { Panel } from '@/components/ui/panel'
import { LoadingState } from '@/components/ui/panel-state'
import type { ConnectState, RefusedCalls, RefusedReason } from '@/lib/contract/connect'
import { allGreen, liveChecks, outOfForce, reasonWords, refusedAdvice, watchNames } from '@/lib/view/connect-checks'
import { formatClock, formatCount, formatFixed } from '@/lib/view/format'
import { CodeView } from './code-view'

const HEIGHT = 300

function Refusals({ refused }: { refused: readonly RefusedCalls[] }) {
  return (
    <div className="cause">
      {refused.map((one) => (
        <p key={`${one.code} ${one.message}`}>
          <b className="font-medium text-bad">{refusedAdvice(one)}</b> {formatCount(one.count, 'call')}
          {one.from !== null && ` from ${one.from}`}
          {one.client !== null && ` with ${one.client.replace('/', ' ')}`}, the last at {formatClock(one.lastAt)}:{' '}
          <code>{one.call}</code>.
        </p>
      ))}
    </div>
  )
}

function Cause({ reasons, onAgain }: { reasons: readonly RefusedReason[]; onAgain: () => void }) {
  const [first, ...others] = reasons
  if (first === undefined) return null
  const { cause, change } = reasonWords(first)
  return (
    <div className="cause">
      <p>
        <b className="font-medium text-bad">{cause}</b>
      </p>
      <p>{change}</p>
      {first.nearest !== null && first.task !== null && (
        <CodeView
          label="The line to change"
          lines={[
            { text: `− "task": ${JSON.stringify(first.task)}`, adapt: false, comment: true },
            { text: '+ pick.rollout(reward)   or   "lease": pick.lease', adapt: true, comment: false },
          ]}
        />
      )}
      <p>
        Refused rollouts count nowhere and are not kept; the trainer's log says so, too. Training goes on meanwhile.
      </p>
      {others.length > 0 && (
        <details>
          <summary className="min-h-6 underline decoration-line-control underline-offset-[3px]">
            All {formatFixed(reasons.length, 0)} reasons
          </summary>
          <ul className="mt-1 grid gap-1">
            {reasons.map((one) => (
              <li key={one.reason}>
                {formatFixed(one.count, 0)}: {one.reason}
              </li>
            ))}
          </ul>
        </details>
      )}
      <div>
        <Button size="small" onClick={onAgain}>
          Check again
        </Button>
      </div>
    </div>
  )
}

function checksOf(state: ConnectState, isLost: boolean, onAgain: () => void): Check[] {
  const checks = liveChecks(state)
  return (isLost ? outOfForce(checks) : checks).map(({ key, title, state: at, text, at: when }) => ({
    key,
    title,
    state: at,
    text,
    when: when === null ? '' : formatClock(when),
    more:
      key === 'reached' && state.unauthorised.length > 0 ? (
        <Refusals refused={state.unauthorised} />
      ) : key === 'report' && state.report !== null && state.report.refused > 0 ? (
        <Cause reasons={state.report.reasons} onAgain={onAgain} />
      ) : null,
  }))
}

function Listening({ state, lost }: { state: ConnectState | null; lost: string | null }) {
  const ago = useAgo(state?.lastCallAt ?? null)
  return (
    <span className="flex items-center gap-[6px] text-ink-2">
      <i className="dot" data-status={lost === null ? 'live' : 'failed'} data-beat="" aria-hidden="true" />
      {lost === null ? `listening, ${ago === null ? 'no call yet' : `last call ${ago} ago`}` : 'out of reach'}
    </span>
  )
}

export function CheckPanel({
  state,
  lost,
  run,
  onRun,
  onAgain,
}: {
  state: ConnectState | null
  /** why the newest look failed, or null */
  lost: string | null
  run: string | null
  onRun: (run: string | null) => void
  onAgain: () => void
}) {
  if (state === null)
    return (
      <Panel title="3. Live check">
        <LoadingState height={HEIGHT} />
      </Panel>
    )
  const green = lost === null && allGreen(liveChecks(state))
  return (
    <Panel title="3. Live check" acts={<Listening state={state} lost={lost} />}>
      <label className="mb-1 flex items-center gap-2 text-12 text-ink-2">
        Watch
        <select
          className="input min-w-0 flex-1"
          value={run ?? ''}
          onChange={(event) => onRun(event.target.value === '' ? null : event.target.value)}
        >
          <option value="">
            {run !== null
              ? 'the trainer that starts next or still runs'
              : state.run === null
                ? 'waiting for a new trainer'
                : `the trainer that started last: ${state.run.name}`}
          </option>
          {watchNames(state.runs).map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <div style={{ minHeight: HEIGHT }} role="status" aria-live="polite">
        <CheckList label="Live check" checks={checksOf(state, lost !== null, onAgain)} />
      </div>
      <p className="mt-3 flex items-center gap-2">
        {green && state.run !== null ? (
          <ButtonLink kind="primary" href={tabPath(state.run.id, 'overview')}>
            Open the run
          </ButtonLink>
        ) : (
          <>
            <Button disabled>Open the run</Button>
            <span className="text-12 text-ink-3">when all 4 are green</span>
          </>
        )}
      </p>
      <p className="mt-2 text-12 text-ink-3">
        Calls are remembered since {formatClock(state.since)}, when this server was started; the checks themselves
        outlive a restart.
      </p>
    </Panel>
  )
}
