/* Connect: address and token, the recipe of a trainer, the live check. Recipes are read as they lie in `public/recipes`. */

import { makeToken } from '@/app/runs/[run]/settings/actions'
import { ConnectPage } from '@/components/connect/connect-page'
import { readRecipes } from '@/lib/service/recipes'

export default async function Page() {
  return <ConnectPage recipes={await readRecipes()} makeToken={makeToken} />
}
