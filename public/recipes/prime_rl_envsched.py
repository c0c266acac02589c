"""prime-rl: a task sampler that asks for one task at a time and reports each finished group.

Tested against a double of the hook, read from PrimeIntellect-ai/prime-rl@0c771bb7c (orchestrator/curriculum), not the real package.

    # the last line of orchestrator/curriculum/samplers/__init__.py:
    # a sampler of one's own cannot be named in the configuration
    from prime_rl_envsched import EnvSchedSampler as StandardSampler

This file and envsched.py lie in a folder of the orchestrator's PYTHONPATH. prime-rl draws the environment by its ratio
before it asks the sampler, so put all tasks into one train environment. Without any patch, verifiers_envsched.py does it
from inside a taskset; this form sees finished groups, errors and policy versions, and asks for nothing again on resume.
prime-rl saves the sampler with each checkpoint, and the scheduler's state with it: resumed, both go on from there.
"""

import os

from prime_rl.orchestrator.curriculum.samplers.base import TaskSampler

from envsched import Client

URL = os.environ.get("ENVSCHED_URL", "http://127.0.0.1:4310")
TOKEN = os.environ.get("ENVSCHED_TOKEN")
KEY = "prime-rl-run"  # yours
GROUP_SIZE = 8  # yours


def task_of(task) -> dict:
    """A verifiers task as one of the set; environment and key together name it and stay the same from run to run."""
    data = task.data
    return {"environment": data.name, "key": task.key, "text": str(data.prompt)}  # yours


class EnvSchedSampler(TaskSampler):
    def __init__(self, tasks):
        described = [(task_of(task), task) for task in tasks]
        self.task_of = {(one["environment"], one["key"]): task for one, task in described}
        environments = [{"key": key} for key in sorted({one["environment"] for one, _ in described})]  # yours
        task_set = {"name": KEY, "environments": environments, "tasks": [one for one, _ in described]}
        self.run = Client(URL, TOKEN).start_run(task_set, KEY, key=KEY)
        self.version, self.out = 0, {}

    def __next__(self):
        pick = self.run.next_batch(1, GROUP_SIZE, self.version).picks[0]
        task = self.task_of[pick.environment, pick.task]
        self.out[task.key] = pick
        return task

    def observe(self, group):
        """All episodes of one task, the failed ones too, before any gate."""
        pick = self.out.pop(group[0].task.key, None)
        if pick is not None:
            self.run.report([self.rollout(pick, episode) for episode in group])

    def rollout(self, pick, episode):
        version = episode.run.work.policy.start
        self.version = max(self.version, episode.run.work.policy.end)
        traces = [trace for trace in episode.traces if trace.agent.trainable and not trace.has_error]
        if not episode.ok or not traces:
            error = "; ".join(str(error) for error in episode.errors) or "no clean trace"
            return pick.rollout(None, status="infra_error", policyVersion=version, error=error)
        return pick.rollout(traces[0].reward, policyVersion=version)

    def state_dict(self):
        return {"version": self.version, "scheduler": self.run.state()}

    def load_state_dict(self, state_dict):
        self.version = state_dict["version"]
        self.run.restore(state_dict["scheduler"])

    def metrics(self):
        return {"tasks_out": float(len(self.out))}
