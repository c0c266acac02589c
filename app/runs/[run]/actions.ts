'use server'
/* What can be done on any page of a run: keep an alarm quiet. */
import { act } from '@/app/act'
import type { QuietAlarm } from '@/lib/contract/action'
import { quietAlarm as keepQuiet } from '@/lib/service/alarms'

export const quietAlarm: QuietAlarm = async (run, alarm, quiet) =>
  act('operate', ({ runtime, who, now }) => keepQuiet(runtime, run, alarm, quiet, who, now))
