/* What stands at an address that no page has. */
import type { Metadata } from 'next'
import { ButtonLink } from '@/components/ui/button'
import { NothingState } from '@/components/ui/panel-state'

export const metadata: Metadata = { title: 'No such page' }

export default function NotFound() {
  return (
    <main className="page">
      <h1 className="sr-only">No such page</h1>
      <NothingState
        title="There is no page at this address"
        height={420}
        action={<ButtonLink href="/">All runs</ButtonLink>}
      >
        The link may be cut or from another version. Search with Ctrl K, or start from the list of runs.
      </NothingState>
    </main>
  )
}
