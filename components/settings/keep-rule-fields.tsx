/* Owns the fields of the rule: which text, how many policies, what always stays. What differs from the rule in force is tinted. */
import { Checkbox } from '@/components/ui/checkbox'
import { NumberField } from '@/components/ui/number-field'
import { Segmented } from '@/components/ui/segmented'
import { KEEP_TEXT, type KeepRule } from '@/lib/contract/keep'
import { formatFixed } from '@/lib/view/format'

const OPTIONS = KEEP_TEXT.map((value) => ({ value, label: value }))

export function KeepRuleFields({
  rule,
  inForce,
  policyVersion,
  disabled,
  onChange,
}: {
  rule: KeepRule
  inForce: KeepRule
  policyVersion: number | null
  disabled: boolean
  onChange: (rule: KeepRule) => void
}) {
  const always = disabled || rule.text === 'all'
  return (
    <table className="tbl" aria-label="What is kept">
      <tbody>
        <tr>
          <th scope="row" className="!align-middle !border-line-1 !text-13 !text-ink-1 w-[150px]">
            Trajectory text
          </th>
          <td>
            <span className="flex flex-wrap items-center gap-2">
              <Segmented
                label="Trajectory text"
                options={OPTIONS}
                value={rule.text}
                disabled={disabled}
                onChange={(text) => onChange({ ...rule, text })}
              />
              {rule.text === 'newest' && (
                <>
                  <NumberField
                    label="Newest policies whose trajectory text is kept"
                    hideLabel
                    value={rule.newest}
                    decimals={0}
                    step={1}
                    min={1}
                    max={1_000_000}
                    disabled={disabled}
                    changed={inForce.text !== 'newest' || inForce.newest !== rule.newest}
                    onChange={(value) => {
                      if (value !== null && value >= 1) onChange({ ...rule, newest: Math.round(value) })
                    }}
                  />
                  <span className="text-ink-2">
                    policies, {policyVersion === null ? 'none yet' : `now at ${formatFixed(policyVersion, 0)}`}
                  </span>
                </>
              )}
            </span>
          </td>
        </tr>
        <tr>
          <th scope="row" className="!align-middle !border-line-1 !text-13 !text-ink-1">
            Always keep
          </th>
          <td>
            <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <span
                className="inline-flex items-center gap-[10px]"
                title="Trusted rollouts under half of their environment's reward range"
              >
                <Checkbox
                  label="Always keep failures of trusted groups"
                  checked={rule.failures}
                  disabled={always}
                  onChange={(failures) => onChange({ ...rule, failures })}
                />
                <span className={always ? 'text-ink-3' : ''}>failures of trusted groups</span>
              </span>
              <span
                className="inline-flex items-center gap-[10px]"
                title="Rollouts with an error, or of another status than ok and truncated"
              >
                <Checkbox
                  label="Always keep errors"
                  checked={rule.errors}
                  disabled={always}
                  onChange={(errors) => onChange({ ...rule, errors })}
                />
                <span className={always ? 'text-ink-3' : ''}>errors</span>
              </span>
            </span>
          </td>
        </tr>
        <tr>
          <th scope="row" className="!align-middle !border-line-1 !text-13 !text-ink-1">
            Rollouts, numbers only
          </th>
          <td className="text-ink-2">as long as the run: the scheduler is rebuilt from them</td>
        </tr>
      </tbody>
    </table>
  )
}
