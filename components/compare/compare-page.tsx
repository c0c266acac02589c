'use client'
/* Owns the Compare page: first what is shown, then what is not yet. */
import { useQuery } from '@tanstack/react-query'
import { Panel } from '@/components/ui/panel'
import { ErrorState, LoadingState } from '@/components/ui/panel-state'
import { Segmented } from '@/components/ui/segmented'
import { Guarded, Sheet } from '@/components/ui/sheet'
import { Verdict } from '@/components/ui/verdict'
import { comparePath, comparisonQuery, useLiveComparison } from '@/lib/client/comparison'
import { runsQuery } from '@/lib/client/run'
import type { Comparison } from '@/lib/contract/comparison'
import { configurationsOf, pairOf } from '@/lib/view/compare-configurations'
import { MOST_DRAWN, placesOf } from '@/lib/view/compare-lines'
import { compareVerdict } from '@/lib/view/compare-verdict'
import { compareWarnings } from '@/lib/view/compare-words'
import { CommonPanel } from './common-panel'
import { CompareChips } from './compare-chips'
import { CompareNone } from './compare-none'
import { CompareWarnings } from './compare-warnings'
import { DifferencePanel } from './difference-panel'
import { domainOf, MeasurePanel } from './measure-panel'
import { PairChoice } from './pair-choice'
import { ScoresPanel } from './scores-panel'
import { SettingsPanel } from './settings-panel'
import { type CompareAddress, useCompareAddress } from './use-compare-address'

export function ComparePage() {
  const address = useCompareAddress()
  const { ids, axis } = address
  useLiveComparison(ids)
  const { data, error, refetch } = useQuery(comparisonQuery(ids, axis))
  const runs = useQuery(runsQuery()).data?.items
  // while another choice is on its way, what is known of it stays
  const comparison: Comparison | undefined =
    data === undefined ? undefined : { ...data, runs: data.runs.filter(({ id }) => ids.includes(id)) }
  const configurations = configurationsOf(comparison?.runs ?? [])
  const { ordered } = pairOf(configurations, address.of, address.minus)
  const missing = ids.filter((id) => comparison?.missing.includes(id) === true)
  const here = new Set([...(comparison?.runs.map(({ id }) => id) ?? []), ...missing])
  const waiting = ids
    .filter((id) => !here.has(id))
    .map((id) => ({ id, name: runs?.find((run) => run.id === id)?.name ?? id }))
  return (
    <>
      <CompareChips
        ids={ids}
        configurations={ordered}
        missing={missing}
        waiting={waiting}
        onAdd={address.add}
        onRemove={address.remove}
      />
      {ids.length === 0 ? (
        <CompareNone />
      ) : comparison !== undefined ? (
        <Compared comparison={comparison} address={address} />
      ) : error !== null ? (
        <ErrorState height={420} title="Could not compare the runs" onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      ) : (
        <LoadingState height={620} />
      )}
    </>
  )
}

function Compared({ comparison, address }: { comparison: Comparison; address: CompareAddress }) {
  const { ids, part } = address
  const configurations = configurationsOf(comparison.runs)
  const { ordered, pair } = pairOf(configurations, address.of, address.minus)
  const verdict = compareVerdict(comparison, configurations, pair)
  const places = placesOf(comparison, part)
  const api = comparePath(ids, comparison.axis)
  const further = ordered.slice(MOST_DRAWN)
  return (
    <>
      <Verdict context={verdict.context ?? undefined}>{verdict.sentence}</Verdict>
      <CompareWarnings warnings={compareWarnings(comparison, configurations)} />
      {comparison.runs.length > 0 && (
        <>
          <Panel
            title="On one axis"
            sub="thick: mean over seeds as far as all reach; thin: one seed"
            className="pb-[2px]!"
            acts={
              <span className="flex flex-wrap justify-end gap-x-3 gap-y-1">
                <Segmented
                  label="Axis"
                  value={address.axis}
                  onChange={address.setAxis}
                  options={[
                    { value: 'steps', label: 'steps' },
                    { value: 'rollouts', label: 'rollouts' },
                    { value: 'tokens', label: 'tokens' },
                  ]}
                />
                <Segmented
                  label="How far"
                  value={part}
                  onChange={address.setPart}
                  options={[
                    { value: 'end', label: 'to the end' },
                    { value: 'common', label: 'common part' },
                  ]}
                />
              </span>
            }
          >
            {pair !== null && ordered.length > 2 && (
              <PairChoice ordered={configurations} pair={pair} setPair={address.setPair} />
            )}
            {further.length > 0 && (
              <p className="mt-1 text-12 text-ink-2">
                Three configurations are drawn; {further.map(({ name }) => name).join(', ')}{' '}
                {further.length === 1 ? 'is' : 'are'} in the tables.
              </p>
            )}
          </Panel>
          <Sheet>
            <MeasurePanel
              comparison={comparison}
              ordered={ordered}
              measure="informativeShare"
              sub="of trusted groups, mean of 5 steps (Runs: of 10)"
              part={part}
              places={places}
              api={api}
            />
            <MeasurePanel
              comparison={comparison}
              ordered={ordered}
              measure="reward"
              sub="on the uniform slots, never of chosen tasks"
              part={part}
              places={places}
              api={api}
            />
            <DifferencePanel comparison={comparison} pair={pair} measure="informativeShare" places={places} api={api} />
            <DifferencePanel comparison={comparison} pair={pair} measure="reward" places={places} api={api} />
          </Sheet>
          <Guarded>
            <CommonPanel comparison={comparison} ordered={ordered} pair={pair} api={api} />
            <ScoresPanel comparison={comparison} ordered={ordered} xDomain={domainOf(places)} api={api} />
            <SettingsPanel ordered={ordered} api={api} />
          </Guarded>
        </>
      )}
    </>
  )
}
