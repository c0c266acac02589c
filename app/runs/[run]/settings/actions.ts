'use server'
/* Settings: tokens of the server, what text is kept, deleting. */
import { act } from '@/app/act'
import type {
  ChangeKeep,
  DeleteRun,
  DropText,
  MakeToken,
  RemoveWebhook,
  RevokeToken,
  SetWebhook,
  TestWebhook,
} from '@/lib/contract/action'
import { removeWebhook as noWebhook, testWebhook as probe, setWebhook as webhook } from '@/lib/service/alarms/webhook'
import { deleteRun as remove } from '@/lib/service/delete-run'
import { dropAllText, changeKeep as keep } from '@/lib/service/keep'
import { makeToken as make, revokeToken as revoke } from '@/lib/service/tokens'

export const makeToken: MakeToken = async (input) =>
  act('operate', ({ runtime, who, now }) => make(runtime, input, who, now))

export const revokeToken: RevokeToken = async (token, anyway) =>
  act('operate', ({ runtime, who, now }) => revoke(runtime, token, { anyway: anyway === true }, who, now))

export const changeKeep: ChangeKeep = async (run, rule) =>
  act('operate', ({ runtime, who, now }) => keep(runtime, run, rule, who, now))

export const dropText: DropText = async (run) =>
  act('operate', ({ runtime, who, now }) => dropAllText(runtime, run, who, now))

export const deleteRun: DeleteRun = async (run, name) =>
  act('operate', ({ runtime, who, now }) => remove(runtime, run, name, who, now))

export const setWebhook: SetWebhook = async (run, input) =>
  act('operate', ({ runtime, who, now }) => webhook(runtime, run, input, who, now))

export const removeWebhook: RemoveWebhook = async (run) =>
  act('operate', ({ runtime, who, now }) => noWebhook(runtime, run, who, now))

export const testWebhook: TestWebhook = async (run) =>
  act('operate', ({ runtime, who, now }) => probe(runtime, run, who, now))
