"""NeMo-RL: a custom dataloader that asks how much of each environment to train on, and a mixin that reports rewards.

Tested against a double of the hook, read from NVIDIA-NeMo/RL@0f8bce642 (nemo_rl/data/dataloader.py), not the real package.

    data.custom_dataloader=nemo_rl_envsched.choose
    data.use_multiple_dataloader=true
    # shares come in single prompts; a step has PROMPTS_A_STEP below
    data.num_prompts_per_dataloader=1
    grpo.num_prompts_per_step=64

    # in place of your environment's actor
    @ray.remote
    class MyEnvironment(Reporting, MyPlainEnvironment): ...

This file and envsched.py lie in a folder of PYTHONPATH, on every node. NeMo-RL's datasets choose the tasks, EnvSched the
environments: the server leases nothing, and a group is a task at a policy version. Each prompt carries its task's name in
`extra_env_info`, which reaches the environment as metadata. While the server is away tasks are drawn uniformly, and counted.
NeMo-RL's checkpoint has no room for a state of ours: after a restart the run of the same KEY goes on from where it stands.
"""

import json
import os
from functools import lru_cache
from pathlib import Path

from envsched import Client, Pick, Unreachable

URL = os.environ.get("ENVSCHED_URL", "http://127.0.0.1:4310")
TOKEN = os.environ.get("ENVSCHED_TOKEN")
KEY = "nemo-rl-run"  # yours
PROMPTS_A_STEP = 64  # yours
GROUP_SIZE = 8  # yours
# environments are keyed as the datasets are named
TASKS = Path(__file__).with_name("tasks.json")  # yours


@lru_cache(maxsize=None)
def the_run():
    return Client(URL, TOKEN).start_run(json.loads(TASKS.read_text()), KEY, key=KEY)


def key_of(info: dict) -> str:
    """A task's key, from what its data processor put into `extra_env_info`."""
    return info["task"]  # yours


class Version:
    """The next policy version: what the asynchronous collector says, else one more than before, also than before a restart."""

    next = None

    @classmethod
    def take(cls, told):
        if told is None and cls.next is None:
            try:
                last = the_run().summary()["policyVersion"]
            except Unreachable:
                last = None
            told = 0 if last is None else last + 1
        version = cls.next if told is None else told
        cls.next = version + 1
        return version


def choose(data_iterators, dataloaders, expected_num_prompts=None, target_weight_version=None, **records):
    """NeMo-RL calls this for each batch: as many single prompts of each dataset as its environment's share."""
    from nemo_rl.distributed.batched_data_dict import BatchedDataDict

    size = PROMPTS_A_STEP if expected_num_prompts is None else expected_num_prompts
    version = Version.take(target_weight_version)
    batches = []
    for environment, prompts in the_run().shares(size, version, group_size=GROUP_SIZE).items():
        for _ in range(prompts):
            batch = next(data_iterators[environment], None)
            if batch is None:  # this dataset is through
                data_iterators[environment] = iter(dataloaders[environment])
                batch = next(data_iterators[environment])
            ours = {"environment": environment, "version": version}
            batch["extra_env_info"] = [{**info, "envsched": {**ours, "task": key_of(info)}} for info in batch["extra_env_info"]]
            batches.append(batch)
    return BatchedDataDict.from_batches(batches), data_iterators


class Reporting:
    """Before an environment's class: sums an episode's rewards in its metadata and reports them when it ends."""

    def step(self, message_log_batch, metadata, *args, **kwargs):
        told = [dict(info["envsched"]) if info else None for info in metadata]
        try:
            result = super().step(message_log_batch, metadata, *args, **kwargs)
        except Exception as error:
            the_run().report([rollout(ours, None, status="infra_error", error=repr(error)) for ours in told if ours])
            raise
        ended = []
        for ours, reward, terminated in zip(told, result.rewards, result.terminateds):
            if ours is not None:
                ours["reward"], ours["turns"] = ours.get("reward", 0.0) + float(reward.sum()), ours.get("turns", 0) + 1
                if terminated:
                    ended.append(rollout(ours, ours["reward"], turns=ours["turns"]))
        the_run().report(ended)
        return result._replace(metadata=[{**(info or {}), "envsched": ours} for info, ours in zip(result.metadata, told)])


def rollout(ours, reward, **more):
    return Pick(ours["environment"], ours["task"], GROUP_SIZE, ours["version"]).rollout(reward, **more)
