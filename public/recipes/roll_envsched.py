"""ROLL (agentic): an environment whose reset(seed) asks for its task, and which reports the episode when it has ended.

Tested against a double of the hook, read from alibaba/ROLL@8eb27cc2 (agentic/env_manager/traj_env_manager.py), not the real package.

    # a line of roll/pipeline/agentic/env/__init__.py
    gem.register("envsched", entry_point="roll_envsched:EnvSchedEnv")
    # in the configuration; ROLL puts the seed of the group there
    custom_envs:
      mine:
        env_type: envsched
        config: {launch: "${now:%Y%m%d%H%M%S}", seed: 0, first: 0}

This file and envsched.py lie in a folder of PYTHONPATH, on every node. ROLL fixes the mix of its tags when it starts, so
let one tag play all tasks. The environments of a group are reset with the same seed in threads and processes of their
own: they ask with the same request id, which gives the same pick. `launch` keeps ids apart from those of an earlier
start, which would bring old picks back. `first` is the step that training begins with: after a restart the checkpoint's.
The run of the same KEY goes on from where it stands.
"""

import json
import os
from functools import lru_cache
from pathlib import Path

import gem

from envsched import Client

URL = os.environ.get("ENVSCHED_URL", "http://127.0.0.1:4310")
TOKEN = os.environ.get("ENVSCHED_TOKEN")
KEY = "roll-run"  # yours
GROUP_SIZE = 8  # yours
EPISODES_A_STEP = 1  # yours
TASKS = Path(__file__).with_name("tasks.json")  # yours


def make_environment(payload):
    """The environment of one task, with gem's reset and step."""
    raise NotImplementedError("your environment")  # yours


@lru_cache(maxsize=None)
def the_run():
    return Client(URL, TOKEN).start_run(json.loads(TASKS.read_text()), KEY, key=KEY)


class EnvSchedEnv(gem.Env):
    def __init__(self, launch, seed=0, first=0, **settings):
        self.run, self.first = the_run(), first
        self.group, self.resets = f"{launch}-{seed}", 0
        self.pick, self.inner = None, None

    def reset(self, seed=None):
        if self.pick is not None:  # ROLL ended the episode at its own limit of turns or tokens
            self.report("truncated")
        version = self.first + self.resets // EPISODES_A_STEP
        self.resets += 1
        batch = self.run.next_batch(1, GROUP_SIZE, version, request_id=f"{self.group}-{seed}")
        self.pick, self.reward, self.turns = batch.picks[0], 0.0, 0
        self.inner = make_environment(self.pick.payload)
        observation, info = self.inner.reset(seed=seed)
        return observation, {**info, "task": self.pick.task}

    def step(self, action):
        try:
            observation, reward, terminated, truncated, info = self.inner.step(action)
        except Exception as error:
            self.report("infra_error", error=repr(error))
            raise
        self.reward, self.turns = self.reward + float(reward), self.turns + 1
        if terminated or truncated:
            self.report("ok" if terminated else "truncated")
        return observation, reward, terminated, truncated, info

    def report(self, status, **more):
        reward = None if status == "infra_error" else self.reward
        self.run.report([self.pick.rollout(reward, status=status, turns=self.turns, **more)])
        self.pick = None

    def close(self):
        if self.pick is not None:
            self.report("cancelled")
