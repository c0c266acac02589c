import { expect, test } from 'vitest'
import { told } from './told'

test('MINT, InterCode, SWE-bench-Pro and reasoning-gym results', async () => {
  const all = await told('benchmarks')
  const short = all.groups.map(({ of, model, rewards, statuses }) => [
    of.replace(/-\w{40}.*/, ''),
    model,
    rewards,
    statuses,
  ])
  expect(short.slice(0, 9)).toEqual([
    ['safes | safe/1', 'mint', [1, 0], ['ok', 'truncated']],
    ['safes | safe/2', 'mint', [null], ['infra_error']],
    ['ic_bash/files_1 | 0', 'shell_model-9', [1], ['ok']],
    ['ic_sql | 1', 'shell_model-9', [0], ['ok']],
    ['farm/barn | instance_farm__barn', 'swe_model-9', [1], ['ok']],
    ['farm/hay-stack | instance_farm__hay-stack', 'swe_model-9', [0], ['ok']],
    ['farm/barn | instance_farm__barn', 'swe_model-9', [null], ['ok']],
    ['games/maze | Left or right? left #', 'maker_model-1', [1, 0.01], ['ok', 'ok']],
    ['games/maze | Up or down? #', 'maker_model-1', [null, null], ['infra_error', 'ok']],
  ])
  expect(all.rollouts[0]?.tools).toEqual(['use_tool', 'use_tool', 'propose_solution'])
  expect(all.rollouts[3]?.tools).toEqual(['ls', 'find'])
  expect(all.rollouts[3]?.rewardComponents?.map(({ name }) => name)).toEqual(['file_diff', 'answer'])
})

test('Reflexion: trials in the order of their numbers; one that was solved is not told again', async () => {
  const all = await told('benchmarks/reflexion')
  expect(all.groups.map(({ of, policyVersion, rewards }) => [of, policyVersion, rewards])).toEqual([
    ['pantry | env_0', 2, [1]],
    ['pantry | env_1', 2, [0]],
    ['pantry | env_2', 2, [null]],
    ['pantry | env_1', 10, [1]],
    ['pantry | env_2', 10, [0]],
  ])
  expect(all.skipped).toEqual([
    'reflexion/pantry_run/pantry_env_results_trial_10.json: a trial that an earlier one had solved, which was not run again @ 1',
    'reflexion/pantry_run/pantry_env_results_trial_2.json: a trial without a name @ 4',
  ])
})
