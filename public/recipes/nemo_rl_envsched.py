"""NeMo-RL: a custom dataloader that asks how much of each environment to train on, and a mixin that reports rewards.

Tested against a double of the hook, read from NVIDIA-NeMo/RL@0f8bce642 (nemo_rl/data/dataloader.py), not the real package.

    data.custom_dataloader=nemo_rl_envsched.choose data.use_multiple_dataloader=true
    data.num_prompts_per_dataloader=1                    # shares come in single prompts
    grpo.num_prompts_per_step=64                         # as PROMPTS_A_STEP below

    @ray.remote
    class MyEnvironment(Reporting, MyPlainEnvironment): ...    # in place of your environment's actor

This file and envsched.py lie in a folder of PYTHONPATH, on every node. NeMo-RL's datasets choose the tasks, EnvSched the
environments: the server leases nothing, and a group is a task at a policy version. Each prompt carries its task's name in
`extra_env_info`, which reaches the environment as metadata. While the server is away every dataset gets the same share.
NeMo-RL saves its loaders with each checkpoint; after a restart the run of the same KEY goes on at the version it had.
"""

import json
import os
import uuid
from functools import lru_cache
from pathlib import Path

from envsched import Client, Pick, Unreachable

URL = os.environ.get("ENVSCHED_URL", "http://127.0.0.1:4310")
TOKEN = os.environ.get("ENVSCHED_TOKEN")
KEY = "nemo-rl-run"  # yours
PROMPTS_A_STEP = 64  # yours
GROUP_SIZE = 8  # yours
TASKS = Path(__file__).with_name("tasks.json")  # yours: environments are keyed as the datasets are named


@lru_cache(maxsize=None)
def the_run():
    return Client(URL, TOKEN).start_run(json.loads(TASKS.read_text()), KEY, key=KEY)


def key_of(info: dict) -> str:
    """A task's key, from what its data processor put into `extra_env_info`."""
    return info["task"]  # yours


class Steps:
    """The policy version: what the asynchronous collector says, else the batches so far, also those before a restart."""

    next = None


def choose(data_iterators, dataloaders, expected_num_prompts=None, target_weight_version=None, **records):
    from nemo_rl.distributed.batched_data_dict import BatchedDataDict

    size = PROMPTS_A_STEP if expected_num_prompts is None else expected_num_prompts
    shares = shares_of(sorted(dataloaders), size, target_weight_version)
    batches = []
    for environment, prompts in shares.items():
        for _ in range(prompts):
            batch = next(data_iterators[environment], None)
            if batch is None:  # this dataset is through
                data_iterators[environment] = iter(dataloaders[environment])
                batch = next(data_iterators[environment])
            ours = {"environment": environment, "version": Steps.next}
            batch["extra_env_info"] = [{**info, "envsched": {**ours, "task": key_of(info)}} for info in batch["extra_env_info"]]
            batches.append(batch)
    Steps.next += 1
    return BatchedDataDict.from_batches(batches), data_iterators


def shares_of(environments, size, version):
    run = the_run()
    try:
        if not run.attach():
            raise Unreachable("the run has not begun")
        if version is None and Steps.next is None:
            last = run.client.call("GET", f"/runs/{run.id}")["policyVersion"]
            version = 0 if last is None else last + 1
        Steps.next = Steps.next if version is None else version
        ask = {"requestId": uuid.uuid4().hex, "size": size, "groupSize": GROUP_SIZE, "policyVersion": Steps.next}
        answer = run.client.call("POST", f"/runs/{run.id}/batches", {**ask, "mode": "shares"})
        return {share["environment"]: share["picks"] for share in answer["shares"]}
    except Unreachable:
        Steps.next = version if version is not None else Steps.next or 0
        return {name: size // len(environments) + (at < size % len(environments)) for at, name in enumerate(environments)}


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
