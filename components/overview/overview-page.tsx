'use client'
/* Owns the Overview: is it learning, is the scheduler earning its keep. */
import { useQuery } from '@tanstack/react-query'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { overviewQuery, runQuery } from '@/lib/client/run'
import { niceTicks } from '@/lib/view/axis'
import { overviewVerdict } from '@/lib/view/overview-verdict'
import { beganSentence, restoreMark } from '@/lib/view/restore-words'
import { knownRange } from '@/lib/view/series'
import { BatchesPanel } from './batches-panel'
import { CoveragePanel } from './coverage-panel'
import { GraphHelpsPanel } from './graph-helps-panel'
import { InformativePanel } from './informative-panel'
import { type ReplayActions, ReplayPanel } from './replay-panel'
import { RewardPanel } from './reward-panel'
import { ScoresPanel } from './scores-panel'
import { ShadowPanel } from './shadow-panel'
import { YieldPanel } from './yield-panel'

export function OverviewPage({ run, replay }: { run: string; replay: ReplayActions }) {
  const overview = useQuery(overviewQuery(run))
  const summary = useQuery(runQuery(run))
  const data = overview.data
  if (data === undefined || summary.data === undefined) {
    const error = overview.error ?? summary.error
    if (error === null) return <LoadingState height={520} />
    return (
      <ErrorState height={420} title="Could not load the overview" onRetry={() => void overview.refetch()}>
        {error.message}
      </ErrorState>
    )
  }
  const verdict = overviewVerdict(data, summary.data)
  const context = [beganSentence(summary.data.restores), verdict.context].filter((part) => part !== null).join(' ')
  const measure = `Informative groups over trusted groups: ${summary.data.mode === 'shadow' ? 'the newest ones reported' : 'chosen slots against uniform slots, last 10 batches'}`
  if (summary.data.mode === 'shadow' && data.series.length === 0) {
    return (
      <>
        <Verdict context={context === '' ? undefined : context} measure={measure}>
          {verdict.sentence}
        </Verdict>
        <Sheet>
          <ShadowPanel run={run} overview={data} rollouts={summary.data.rollouts} />
          <CoveragePanel run={run} overview={data} span={4} />
          <GraphHelpsPanel run={run} />
          <ReplayPanel run={run} actions={replay} />
        </Sheet>
      </>
    )
  }
  const last = Math.max(data.series.at(-1)?.batch ?? 1, 2)
  const xDomain = [data.series[0]?.batch ?? 1, last] as const
  const mark = restoreMark(
    summary.data.restores,
    data.series.map(({ batch }) => batch),
  )
  const rewards = knownRange(
    data.series,
    (point) => point.rewardWhole,
    (point) => point.rewardChosen,
  )
  const rewardTicks = niceTicks(rewards?.low ?? 0, rewards?.high ?? 1, 3)
  return (
    <>
      <Verdict context={context === '' ? undefined : context} measure={measure}>
        {verdict.sentence}
      </Verdict>
      <Sheet>
        <InformativePanel run={run} overview={data} mark={mark} xDomain={xDomain} />
        <YieldPanel run={run} overview={data} />
        <RewardPanel run={run} overview={data} mark={mark} which="rewardWhole" xDomain={xDomain} yTicks={rewardTicks} />
        <RewardPanel
          run={run}
          overview={data}
          mark={mark}
          which="rewardChosen"
          xDomain={xDomain}
          yTicks={rewardTicks}
        />
        <CoveragePanel run={run} overview={data} />
        <BatchesPanel run={run} />
        <GraphHelpsPanel run={run} />
        {data.scores.length > 0 && <ScoresPanel run={run} overview={data} />}
      </Sheet>
    </>
  )
}
