"""verifiers: an endless taskset that asks for one task at a time and reports each rollout when it has been scored.

Tested against verifiers 0.4.0, real episodes on a CPU with a scripted model on loopback.

    # rl.toml of prime-rl; this file and envsched.py lie in a folder of its PYTHONPATH
    [orchestrator]
    group_size = 8
    [[orchestrator.train.env]]
    name = "my-tasks"
    taskset = { id = "verifiers-envsched", task = { task_set = "tasks.json", run = "my-run" }, group_size = 8 }
    harness = { id = "null", runtime = { type = "subprocess" } }

The address and the token are ENVSCHED_URL and ENVSCHED_TOKEN. `tasks.json` is the task set as `Client.register_tasks`
takes it; a task's `payload` holds the fields of `Data`. Orchestrator and workers find the same run by its key, `run`.
Code of your own reads `next(iter(env.taskset))`; `vf-eval` lists all tasks before the first rollout, so nothing can adapt
there. A rollout that fails before it is scored is reported as an error of the infrastructure, never as 0.
A taskset is not told the policy's version. It counts picks, `picks_a_step` to a version: prompts a training step.
prime-rl asks again for each task that was out before a resume; those leases end by themselves.
"""

import asyncio
import functools
import itertools
import json
from pathlib import Path
from typing import Iterator, Optional

import verifiers.v1 as vf
from envsched import Client, Run

__all__ = ["EnvSchedEnv", "EnvSchedTaskset"]


class TaskConfig(vf.TaskConfig):
    task_set: Path = Path("tasks.json")
    run: str = "verifiers"


class Config(vf.TasksetConfig):
    task: TaskConfig = TaskConfig()
    group_size: int = 8
    picks_a_step: int = 16


@functools.lru_cache(maxsize=None)
def run_of(task_set: Path, key: str) -> Run:
    return Client().start_run(json.loads(task_set.read_text(encoding="utf-8")), key, key=key)


class Data(vf.TaskData):
    environment: str
    task: str
    lease: Optional[str] = None
    policy_version: int = 0
    answer: str = ""  # yours: what the reward needs, from the task's payload


class EnvSchedTask(vf.Task[Data, vf.State, TaskConfig]):
    @property
    def key(self) -> str:  # the content's hash, which is the default, differs with each lease
        return f"{self.data.environment}/{self.data.task}"

    @vf.reward(weight=1.0)
    async def right(self, trace: vf.Trace) -> float:  # yours
        return float((trace.last_reply or "").strip() == self.data.answer)

    async def score(self, trace: vf.Trace, runtime: Optional[vf.Runtime] = None) -> None:
        """Scores as always, then reports the weighted sum of all rewards; a scorer that breaks is no reward, never 0."""
        try:
            await super().score(trace, runtime)
        except Exception as why:
            await self.report(trace, None, status="verifier_error", error=str(why))
            raise
        await self.report(trace, trace.reward, status="truncated" if trace.is_truncated else "ok")

    async def report(self, trace: vf.Trace, reward: Optional[float], **more: object) -> None:
        if not self.scoring_deferred:
            data, calls = self.data, [call for said in trace.assistant_messages for call in said.tool_calls or []]
            row = {
                "id": trace.id,
                "lease": data.lease,
                "environment": data.environment,
                "task": data.task,
                "policyVersion": data.policy_version,
                "reward": reward,
                "turns": trace.num_turns,
                "tokens": trace.num_output_tokens,
                "tools": [call.name for call in calls],
                **more,
            }
            await asyncio.to_thread(run_of(self.config.task_set, self.config.run).report, [row])


class EnvSchedTaskset(vf.Taskset[EnvSchedTask, Config]):
    INFINITE = True

    def load(self) -> Iterator[EnvSchedTask]:
        config = self.config
        run = run_of(config.task.task_set, config.task.run)
        for asked in itertools.count():
            version = asked // config.picks_a_step
            for pick in run.next_batch(1, config.group_size, version).picks:
                place = {"environment": pick.environment, "task": pick.task, "lease": pick.lease, "policy_version": version}
                yield EnvSchedTask(Data(name=pick.environment, **place, **pick.payload), config.task)


class EnvSchedEnv(vf.SingleAgentEnv):
    async def finalize(self, task: EnvSchedTask, episode: vf.Episode) -> None:
        for trace in episode.traces:
            if trace.has_error and not trace.rewards:
                await task.report(trace, None, status="infra_error", error=str(trace.errors[-1].message))
        await super().finalize(task, episode)
