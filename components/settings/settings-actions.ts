/* What the Settings page may write, as it was handed in by the route. */
import type {
  ChangeKeep,
  DeleteRun,
  DropText,
  MakeToken,
  PatchRun,
  RemoveWebhook,
  RevokeToken,
  SetWebhook,
  TestWebhook,
} from '@/lib/contract/action'

export interface SettingsActions {
  makeToken: MakeToken
  revokeToken: RevokeToken
  changeKeep: ChangeKeep
  dropText: DropText
  deleteRun: DeleteRun
  patchRun: PatchRun
  setWebhook: SetWebhook
  removeWebhook: RemoveWebhook
  testWebhook: TestWebhook
}
