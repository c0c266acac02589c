/* Owns the bar above the table's head: how many are selected, compare, clear, whether they share a task set. It is there before anything is
   selected, so that nothing moves with the first one. */
import { Button, ButtonLink } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { MOST_COMPARED } from '@/lib/contract/comparison'
import type { RunSummary } from '@/lib/contract/run'
import { selectionWords } from '@/lib/view/run-filter'
import type { Selection } from './use-selection'

export function SelectionBar({ selection, shown }: { selection: Selection; shown: readonly RunSummary[] }) {
  const { runs, set } = selection
  const count = runs.length
  const words = count === 0 ? null : selectionWords(runs)
  return (
    <div className="selection-bar" data-filled={count > 0 ? '' : undefined}>
      <Checkbox
        label={count === 0 ? `Select the first ${Math.min(MOST_COMPARED, shown.length)} runs` : 'Clear the selection'}
        checked={false}
        mixed={count > 0}
        onChange={() => set(count > 0 ? [] : shown.slice(0, MOST_COMPARED).map(({ id }) => id))}
      />
      {words === null ? (
        <span className="text-12 text-ink-3">
          Select up to {MOST_COMPARED} runs to compare them
          <span className="hide-phone">, with the boxes or with x</span>
        </span>
      ) : (
        <>
          <span className="font-medium" role="status">
            {count} of at most {MOST_COMPARED} selected
          </span>
          <ButtonLink size="small" href={`/compare?runs=${runs.map(({ id }) => id).join(',')}`}>
            {count === 1 ? 'Compare with others' : `Compare ${count} runs`}
          </ButtonLink>
          <Button size="small" kind="quiet" onClick={() => set([])}>
            Clear
          </Button>
          <span
            className={`ml-auto truncate text-12 max-sm:ml-0 max-sm:whitespace-normal ${words.shared ? 'text-ink-3' : 'text-warn'}`}
            title={words.text}
          >
            {words.text}
          </span>
        </>
      )}
    </div>
  )
}
