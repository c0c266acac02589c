/* What the Settings page may write, as it was handed in by the route. */
import type { ChangeKeep, DeleteRun, DropText, MakeToken, PatchRun, RevokeToken } from '@/lib/contract/action'

export interface SettingsActions {
  makeToken: MakeToken
  revokeToken: RevokeToken
  changeKeep: ChangeKeep
  dropText: DropText
  deleteRun: DeleteRun
  patchRun: PatchRun
}
