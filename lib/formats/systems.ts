/** All systems whose files are read: specific before general, plain rows last, since the first form that fits is taken. */
import type { System } from './system'
import { functionCalls } from './systems/function-calls'
import { plainRollouts } from './systems/plain-rollouts'
import { tauBench } from './systems/tau-bench'
import { tau2Bench } from './systems/tau2-bench'

export const SYSTEMS: readonly System[] = [tauBench, tau2Bench, functionCalls, plainRollouts]
