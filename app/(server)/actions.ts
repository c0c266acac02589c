'use server'
/* What a person can start or stop: the demo run, a run on a task set, pause and resume. */
import { act } from '@/app/act'
import type { PatchRun, StartDemo, StartRun } from '@/lib/contract/action'
import { createRun } from '@/lib/service/create-run'
import { changeRun, readRun } from '@/lib/service/runs'
import { startDemo as start } from '@/lib/service/start-demo'

export const startDemo: StartDemo = async () => act('operate', ({ runtime, now }) => start(runtime, now))

export const startRun: StartRun = async (input) =>
  act('operate', async ({ runtime, who, now }) => readRun(runtime, (await createRun(runtime, input, who, now)).id, now))

export const patchRun: PatchRun = async (run, patch) =>
  act('operate', ({ runtime, who, now }) => changeRun(runtime, run, patch, who, now))
