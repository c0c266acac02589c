/** All systems whose files are read: specific before general, plain rows last, since the first form that fits is taken. */
import type { System } from './system'
import { acebenchResults } from './systems/acebench-results'
import { agentBenchmarks } from './systems/agent-benchmarks'
import { areal } from './systems/areal'
import { art } from './systems/art'
import { atropos } from './systems/atropos'
import { bfclResults } from './systems/bfcl-results'
import { functionCalls } from './systems/function-calls'
import { harbor } from './systems/harbor'
import { inspect } from './systems/inspect'
import { nemoGym } from './systems/nemo-gym'
import { nemoRl } from './systems/nemo-rl'
import { plainRollouts } from './systems/plain-rollouts'
import { reasoningGym } from './systems/reasoning-gym'
import { reflexion } from './systems/reflexion'
import { rllm } from './systems/rllm'
import { roll } from './systems/roll'
import { skyrl } from './systems/skyrl'
import { tauBench } from './systems/tau-bench'
import { tau2Bench } from './systems/tau2-bench'
import { terminalBench } from './systems/terminal-bench'
import { trl } from './systems/trl'
import { verifiersResults } from './systems/verifiers-results'
import { verifiersTraces } from './systems/verifiers-traces'
import { verl } from './systems/verl'

export const SYSTEMS: readonly System[] = [
  inspect,
  harbor,
  terminalBench,
  roll,
  areal,
  art,
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
  acebenchResults,
  bfclResults,
  plainRollouts,
]
