"""slime: a data source that asks for each group of samples, and a hook that reports every group, the filtered ones too.

Tested against a double of the hook, read from THUDM/slime@018ff18f7 (slime/rollout/data_source.py), not the real package.

    --data-source-path slime_envsched.EnvSchedDataSource
    --rollout-all-samples-process-path slime_envsched.report
    --prompt-data tasks.jsonl
    --input-key prompt
    --metadata-key metadata

This file and envsched.py lie in a folder of PYTHONPATH. Each line of the prompt data is a task, named by its metadata.
A group keeps its lease in its samples' metadata, so one that slime aborts and takes up again later is the same group.
slime saves the data source with each checkpoint, and the scheduler's state with it: resumed, both go on from there.
"""

import copy
import json
import os
from pathlib import Path

from slime.rollout.data_source import RolloutDataSourceWithBuffer

from envsched import Client, Pick

URL = os.environ.get("ENVSCHED_URL", "http://127.0.0.1:4310")
TOKEN = os.environ.get("ENVSCHED_TOKEN")
KEY = "slime-run"  # yours
STATUSES = {"completed": "ok", "truncated": "truncated", "failed": "infra_error"}


def task_of(sample) -> dict:
    """A sample as a task; environment and key together name it and stay the same from run to run."""
    metadata, text = sample.metadata, str(sample.prompt)
    return {"environment": metadata["environment"], "key": metadata["task"], "text": text}  # yours


class EnvSchedDataSource(RolloutDataSourceWithBuffer):
    def __init__(self, args):
        super().__init__(args)
        tasks = [task_of(sample) for sample in self.dataset.samples]
        self.sample_of = {(task["environment"], task["key"]): s for task, s in zip(tasks, self.dataset.samples)}
        environments = [{"key": key} for key in sorted({task["environment"] for task in tasks})]  # yours
        self.run = Client(URL, TOKEN).start_run({"name": KEY, "environments": environments, "tasks": tasks}, KEY, key=KEY)
        self.version, self.out, self.ended = 0, set(), False

    def get_samples(self, num_samples):
        self.give_back()
        groups = self._get_samples_from_buffer(num_samples)
        if len(groups) < num_samples:
            wanted = num_samples - len(groups)
            batch = self.run.next_batch(wanted, self.args.n_samples_per_prompt, self.version)
            self.out.update(pick.lease for pick in batch if pick.lease is not None)
            groups += [self.group_of(pick) for pick in batch]
        return groups

    def give_back(self):
        """slime drops what it sampled beyond a batch: what is not in its buffer when a rollout has ended is released."""
        if self.ended:
            kept = {sample.metadata["envsched"]["lease"] for group in self.buffer for sample in group}
            for lease in self.out - kept:
                self.run.release(lease)
            self.out, self.ended = self.out & kept, False

    def group_of(self, pick):
        group = [copy.deepcopy(self.sample_of[pick.environment, pick.task]) for _ in range(pick.group_size)]
        for sample in group:
            sample.group_index, sample.index = self.sample_group_index, self.sample_index
            sample.metadata = {**sample.metadata, "envsched": vars(pick)}
            self.sample_index += 1
        self.sample_group_index += 1
        return group

    def report(self, groups):
        samples = [sample for group in groups for sample in group if sample.status.value in STATUSES]
        self.run.report([self.rollout(sample) for sample in samples])
        for sample in samples:
            self.out.discard(sample.metadata["envsched"]["lease"])
        self.version, self.ended = self.version + 1, True

    def rollout(self, sample):
        versions = [int(version) for version in sample.weight_versions or [] if str(version).isdigit()]
        pick = Pick(**sample.metadata["envsched"])
        status = STATUSES[sample.status.value]
        reward = None if status == "infra_error" or sample.reward is None else sample.get_reward_value(self.args)
        version = min(versions, default=pick.policy_version)
        return pick.rollout(reward, status=status, policyVersion=version, tokens=sample.response_length)

    def state_file(self, folder, rollout_id) -> Path:
        return Path(folder) / "rollout" / f"envsched_{rollout_id}.json"

    def save(self, rollout_id):
        super().save(rollout_id)
        self.give_back()
        file = self.state_file(self.args.save, rollout_id)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"version": self.version, "scheduler": self.run.state()}))

    def load(self, rollout_id=None):
        super().load(rollout_id)
        if self.args.load is None or not self.state_file(self.args.load, rollout_id).exists():
            return
        state = json.loads(self.state_file(self.args.load, rollout_id).read_text())
        self.version = state["version"]
        self.run.restore(state["scheduler"])


def report(args, all_samples, data_source):
    """slime calls this at the end of each rollout; `data_source` is the bound method get_samples there."""
    getattr(data_source, "__self__", data_source).report(all_samples)
