/* Owns the way from a run to its comparison with others. */
import { ButtonLink } from '@/components/ui/button'

export function CompareWith({ run }: { run: string }) {
  return (
    <ButtonLink
      size="small"
      kind="quiet"
      href={`/compare?runs=${encodeURIComponent(run)}`}
      title="Compare this run with others"
    >
      Compare
    </ButtonLink>
  )
}
