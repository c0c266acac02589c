'use client'
/* Owns Compare before a run is chosen: what it needs, and the sets of runs that are one press away. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { ButtonLink } from '@/components/ui/button'
import { Verdict } from '@/components/ui/verdict'
import { runsQuery } from '@/lib/client/run'
import { MOST_COMPARED } from '@/lib/contract/comparison'
import { suggestions } from '@/lib/view/run-filter'

export function CompareNone() {
  const { data } = useQuery(runsQuery())
  const sets = suggestions(data?.items ?? [], MOST_COMPARED)
  const few = data !== undefined && data.items.length < 2
  return (
    <>
      <Verdict
        context={
          few
            ? `Start ${data.items.length === 0 ? 'two' : 'one more'}: the same task set and seed with another scheduler, or other weights, answers most.`
            : 'Runs of one task set that differ in one thing, with the same seeds, answer most. Two seeds give an interval, three a usable one.'
        }
      >
        {few
          ? `There is ${data.items.length === 0 ? 'no run' : 'only one run'} to compare yet.`
          : `Choose up to ${MOST_COMPARED} runs to set beside each other.`}
      </Verdict>
      {sets.length > 0 && (
        <ul className="mb-4 flex flex-wrap gap-2" aria-label="Runs of one task set">
          {sets.slice(0, 6).map((set) => (
            <li key={set.ids.join()}>
              <ButtonLink href={`/compare?runs=${set.ids.join(',')}`}>
                <span className="max-w-[320px] truncate">
                  The {set.ids.length} newest on {set.name}
                </span>
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
      <p className="text-ink-2">
        Or select them in the list of <Link href="/">runs</Link>.
      </p>
    </>
  )
}
