/* Compare: did it help, and do we know. */
import { ComparePage } from '@/components/compare/compare-page'

export default function Page() {
  return <ComparePage />
}
