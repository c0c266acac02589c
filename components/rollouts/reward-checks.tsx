/* Owns the reward components of a rollout: name, value, and what the verifier said of it. A component without a value is unknown, never 0. */
import { Icon } from '@/components/ui/icon'
import type { RolloutDetail } from '@/lib/contract/rollout-group'
import { formatNumber } from '@/lib/view/format'
import { oneLine } from '@/lib/view/tool-outcome'

const SHOWN = 24

type Component = RolloutDetail['rewardComponents'][number]

function Value({ value }: { value: Component['value'] }) {
  if (value === null) return <span className="text-ink-3">none</span>
  if (value === 1 || value === 0) {
    return (
      <span className={`inline-flex items-center gap-1 whitespace-nowrap ${value === 1 ? 'text-ok' : 'text-bad'}`}>
        <Icon name={value === 1 ? 'check' : 'close'} />
        {value}
      </span>
    )
  }
  return <span className="whitespace-nowrap">{formatNumber('reward', value, 'none')}</span>
}

export function RewardChecks({ components }: { components: readonly Component[] }) {
  if (components.length === 0) return <p className="flex-1 text-ink-3">The trainer sent no reward components.</p>
  return (
    <table className="tbl checks" aria-label="Reward components">
      <tbody>
        {components.slice(0, SHOWN).map(({ name, value, message }, at) => (
          <tr key={`${String(at)}-${name}`}>
            <th scope="row" title={name}>
              {oneLine(name)}
            </th>
            <td>
              <Value value={value} />
            </td>
            <td className="text-ink-2" title={message}>
              {message === undefined ? '' : oneLine(message, 160)}
            </td>
          </tr>
        ))}
        {components.length > SHOWN && (
          <tr>
            <td colSpan={3} className="text-ink-3">
              {components.length - SHOWN} more in the raw JSON
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}
