/* Owns what opens under a pick: its terms with signs, its prediction with shares, what it kept out, and where to go on. */
import { SteerMenu } from '@/components/steering/steer-menu'
import { ButtonLink } from '@/components/ui/button'
import { EnvTag } from '@/components/ui/env-tag'
import { GroupLink } from '@/components/ui/group-link'
import { RolloutSquares } from '@/components/ui/rollout-squares'
import type { PickView } from '@/lib/contract/batch'
import { formatFixed } from '@/lib/view/format'
import { RULE_NAMES, ruleOrigin } from '@/lib/view/rule-words'
import { cameBack } from '@/lib/view/task-verdict'
import { PredictionList } from './prediction-list'
import { TermList } from './term-list'

function KeptOut({ pick }: { pick: PickView }) {
  const { runnerUp } = pick
  if (runnerUp === null) return <p className="text-ink-2">It kept no other task out.</p>
  return (
    <p className="text-ink-2">
      It kept out <span className="font-medium text-ink-1">{runnerUp.task.key}</span>{' '}
      <EnvTag environment={runnerUp.environment} />, whose score is {formatFixed(Math.abs(runnerUp.margin), 3)}{' '}
      {runnerUp.margin < 0 ? (
        <span title={ruleOrigin(runnerUp.rule)}>above the last scored pick; out by {RULE_NAMES[runnerUp.rule]}.</span>
      ) : (
        'below the last scored pick.'
      )}
    </p>
  )
}

export function PickDetail({ run, pick, issued }: { run: string; pick: PickView; issued: boolean }) {
  const base = `/runs/${encodeURIComponent(run)}`
  const task = encodeURIComponent(pick.task.id)
  return (
    <div className="pick-detail">
      <div>
        <TermList terms={pick.terms} score={pick.score} />
      </div>
      <div>
        <PredictionList prediction={pick.prediction} />
      </div>
      <div className="flex flex-col gap-2 text-12">
        {issued && (
          <p className="flex items-center gap-2">
            <GroupLink run={run} task={pick.task.id} group={pick.result.group} label="Read its rollouts">
              <RolloutSquares marks={pick.result.squares} stages={pick.result.stages} />
            </GroupLink>
            <span className="text-ink-2">{cameBack(pick.result)}</span>
          </p>
        )}
        <KeptOut pick={pick} />
        <span className="mt-auto flex flex-wrap gap-[6px]">
          <ButtonLink size="small" icon="graph" href={`${base}/graph?task=${task}`}>
            Evidence in the graph
          </ButtonLink>
          <ButtonLink size="small" href={`${base}/tasks/${task}`}>
            Open the task
          </ButtonLink>
          {issued && pick.result.group !== null && (
            <ButtonLink size="small" href={`${base}/rollouts?task=${task}&group=${pick.result.group}`}>
              Read the rollouts
            </ButtonLink>
          )}
          <SteerMenu run={run} task={pick.task} environment={pick.environment} align="end" />
        </span>
      </div>
    </div>
  )
}
