/** All systems whose files are read: specific before general, plain rows last, since the first form that fits is taken. */
import type { System } from './system'
import { agentBenchmarks } from './systems/agent-benchmarks'
import { atropos } from './systems/atropos'
import { functionCalls } from './systems/function-calls'
import { nemoGym } from './systems/nemo-gym'
import { nemoRl } from './systems/nemo-rl'
import { plainRollouts } from './systems/plain-rollouts'
import { reasoningGym } from './systems/reasoning-gym'
import { reflexion } from './systems/reflexion'
import { rllm } from './systems/rllm'
import { skyrl } from './systems/skyrl'
import { tauBench } from './systems/tau-bench'
import { tau2Bench } from './systems/tau2-bench'
import { trl } from './systems/trl'
import { verifiersResults } from './systems/verifiers-results'
import { verifiersTraces } from './systems/verifiers-traces'
import { verl } from './systems/verl'

export const SYSTEMS: readonly System[] = [
  tauBench,
  tau2Bench,
  verl,
  trl,
  verifiersTraces,
  verifiersResults,
  skyrl,
  atropos,
  nemoGym,
  nemoRl,
  rllm,
  reasoningGym,
  reflexion,
  agentBenchmarks,
  functionCalls,
  plainRollouts,
]
