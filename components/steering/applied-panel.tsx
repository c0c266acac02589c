'use client'
/* Owns what stands on the page after a draft was applied: of each change what was requested, what is in force, and what its first
   batch was chosen with once it is issued. Stays until it is closed or a new draft begins. */
import { useQueries } from '@tanstack/react-query'
import { useOverrideParam } from '@/components/charts/use-override-param'
import { Button, IconButton } from '@/components/ui/button'
import { overrideEffectQuery } from '@/lib/client/steering'
import { formatCount } from '@/lib/view/format'
import { AppliedValues } from './applied-values'

/** A person checks no more of them one by one; the history has the others. */
const SHOWN = 6

export function AppliedPanel({
  run,
  ids,
  fromBatch,
  onClose,
}: {
  run: string
  ids: readonly string[]
  fromBatch: number
  onClose: () => void
}) {
  const [, open] = useOverrideParam()
  const effects = useQueries({ queries: ids.slice(0, SHOWN).map((id) => overrideEffectQuery(run, id, 10)) })
  const issued = effects.some(({ data }) => data !== undefined && data.applied !== null)
  return (
    <section className="inset mb-3 p-3" aria-label="Applied" role="status">
      <div className="flex items-center gap-2">
        <b className="flex-1 font-medium">
          {issued
            ? `Batch ${fromBatch} was chosen with ${ids.length === 1 ? 'it' : 'them'}.`
            : `Written; ${ids.length === 1 ? 'it holds' : 'they hold'} from batch ${fromBatch}, which is not issued yet.`}
        </b>
        <IconButton icon="close" kind="quiet" size="small" label="Close what was applied" onClick={onClose} />
      </div>
      <div className="mt-2 grid gap-3">
        {effects.map(({ data }, i) => (
          <div key={ids[i]}>
            <p className="flex items-center gap-2">
              {data === undefined ? (
                <span className="text-ink-3">Asking what holds</span>
              ) : (
                <>
                  <span className="min-w-0 flex-1 truncate" title={data.override.sentence}>
                    <span className="text-ink-3">{data.override.letter}</span> {data.override.sentence}
                  </span>
                  <Button size="small" kind="quiet" onClick={() => open(data.override.id)}>
                    Before and after
                  </Button>
                </>
              )}
            </p>
            {data !== undefined && <AppliedValues effect={data} />}
          </div>
        ))}
      </div>
      {ids.length > SHOWN && (
        <p className="mt-2 text-12 text-ink-3">
          {formatCount(ids.length - SHOWN, 'further entry', 'further entries')} in the history.
        </p>
      )}
    </section>
  )
}
