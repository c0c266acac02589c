/* Help: what a pick is, the words, where to look. */

import { HelpPage } from '@/components/help/help-page'

export default function Page() {
  return <HelpPage />
}
