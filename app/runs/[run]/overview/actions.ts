'use server'
/* The replay of a run's history: start it, stop it. */
import { act } from '@/app/act'
import type { CancelReplay, StartReplay } from '@/lib/contract/action'
import { cancelReplay as cancel, startReplay as start } from '@/lib/service/replay-history'

export const startReplay: StartReplay = async (run) =>
  act('operate', async ({ runtime }) => (await start(runtime, run, Date.now)).job)

export const cancelReplay: CancelReplay = async (run) => act('operate', ({ runtime, now }) => cancel(runtime, run, now))
