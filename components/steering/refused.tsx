/* Owns the row under a setting that cannot be: the reason and what is kept instead. */
import { Icon } from '@/components/ui/icon'

export function Refused({ message, columns = 4 }: { message: string | undefined; columns?: number }) {
  if (message === undefined) return null
  return (
    <tr className="refused">
      <td colSpan={columns} role="alert">
        <span className="flex items-start gap-[7px]">
          <Icon name="error" />
          <span>{message}</span>
        </span>
      </td>
    </tr>
  )
}
