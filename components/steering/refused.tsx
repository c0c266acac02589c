/* Owns the row under a setting that cannot be: the reason, and the nearest one that can as a button. */
import { Button } from '@/components/ui/button'
import { Icon } from '@/components/ui/icon'

export interface Refusal {
  message: string
  /** the nearest setting that can be, in words, and taking it; null = none of its kind */
  nearest: { words: string; take: () => void } | null
}

export function Refused({ refusal, columns = 4 }: { refusal: Refusal | undefined; columns?: number }) {
  if (refusal === undefined) return null
  return (
    <tr className="refused">
      <td colSpan={columns} role="alert">
        <span className="flex flex-wrap items-center gap-x-[7px] gap-y-1">
          <Icon name="error" />
          <span className="min-w-0 flex-1 basis-[200px] whitespace-normal">Refused: {refusal.message}</span>
          {refusal.nearest !== null && (
            <Button size="small" title="The nearest setting that can be" onClick={refusal.nearest.take}>
              {refusal.nearest.words}
            </Button>
          )}
        </span>
      </td>
    </tr>
  )
}
