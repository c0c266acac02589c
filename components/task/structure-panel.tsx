/* Owns what the graph knows of a task: pattern, tools, state, verifier, and the size of its rollouts. */
import { EnvTag } from '@/components/ui/env-tag'
import { Panel } from '@/components/ui/panel'
import type { TaskDetail } from '@/lib/contract/task'
import { formatCount, formatFixed } from '@/lib/view/format'

type Structure = TaskDetail['structure']

const unknown = <span className="text-ink-3">not declared</span>

function Tools({ structure, code }: { structure: Structure; code: string }) {
  const { tools, environmentTools } = structure
  if (tools.length === 0) return unknown
  const shared = tools.filter(({ alsoIn }) => alsoIn.length > 0)
  return (
    <>
      <span className="flex flex-wrap gap-x-[6px]">
        {tools.map(({ name, role }, i) => (
          <code key={`${String(i)}-${name}`} className="text-ink-2" title={role}>
            {name}
          </code>
        ))}
      </span>
      <span className="block text-12 text-ink-3">
        {formatFixed(new Set(tools.map(({ name }) => name)).size, 0)} of {formatFixed(environmentTools, 0)} in {code}
        {shared.slice(0, 3).map(({ name, alsoIn }) => (
          <span key={name}>
            ; {name} also in{' '}
            {alsoIn
              .slice(0, 4)
              .map(({ code: other }) => other)
              .join(', ')}
            {alsoIn.length > 4 && ` and ${alsoIn.length - 4} more`}
          </span>
        ))}
      </span>
    </>
  )
}

function rolloutWords(structure: Structure): string | null {
  const parts = [
    structure.turns === null ? null : formatCount(Math.round(structure.turns), 'turn'),
    structure.tokens === null ? null : formatCount(Math.round(structure.tokens), 'token'),
    structure.seconds === null ? null : `${formatFixed(structure.seconds, 1)}\u00a0s`,
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : parts.join(', ')
}

export function StructurePanel({ task }: { task: TaskDetail }) {
  const { structure } = task
  const [low, high] = structure.rewardRange
  const size = rolloutWords(structure)
  const checks = structure.checks.length === 0 ? 'no check declared' : formatCount(structure.checks.length, 'check')
  return (
    <Panel title="Structure" sub="what the graph knows of it">
      <dl className="facts">
        <dt>environment</dt>
        <dd>
          {task.task.environment.name} <EnvTag environment={task.task.environment} />
        </dd>
        <dt>pattern</dt>
        <dd>
          {structure.pattern === '' ? unknown : structure.pattern}{' '}
          <span className="text-ink-3">
            {formatCount(structure.patternTasks, 'task')} in {formatCount(structure.patternEnvironments, 'environment')}
          </span>
        </dd>
        <dt>tools</dt>
        <dd>
          <Tools structure={structure} code={task.task.environment.code} />
        </dd>
        <dt>state</dt>
        <dd>
          {structure.state.length === 0 ? (
            unknown
          ) : (
            <>
              {structure.state.join(', ')}{' '}
              <span className="text-ink-3">
                {formatFixed(structure.state.length, 0)} of {formatCount(structure.environmentState, 'field')}
              </span>
            </>
          )}
        </dd>
        <dt>verifier</dt>
        <dd>
          {[structure.verifier, ...structure.checks].filter((word) => word !== null).join(', ') || unknown}{' '}
          <span className="text-ink-3">
            {checks}, reward {formatFixed(low, Number.isInteger(low) ? 0 : 2)} to{' '}
            {formatFixed(high, Number.isInteger(high) ? 0 : 2)}
          </span>
        </dd>
        <dt>rollout</dt>
        <dd>
          {size === null ? (
            <span className="text-ink-3">{structure.rollouts === 0 ? 'not yet' : 'size not reported'}</span>
          ) : (
            <>
              {size} <span className="text-ink-3">median of {formatFixed(structure.rollouts, 0)}</span>
            </>
          )}
        </dd>
      </dl>
    </Panel>
  )
}
