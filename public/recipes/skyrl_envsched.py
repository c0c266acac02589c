"""SkyRL: a prompt dataset that hands out the scheduler's picks, and a generator that reports what its rollouts got.

Tested against skyrl 0.4.0's real PromptDataset in a StatefulDataLoader, and a double of its trainer's step and generator.

    # for python -m skyrl.train.entrypoints.main_base
    trainer.override_entrypoint=skyrl_envsched
    # workers would fetch batches before the last one was reported
    data.dataloader.num_workers=0

This file and envsched.py lie in a folder of PYTHONPATH, on every node. Your files in data.train_data stay as they are:
each row is a task. SkyRL shuffles row numbers; they are ignored. Each pick gets a uid of its own, since a task may come
twice in an epoch and the fully asynchronous trainer remembers uids. SkyRL keeps the loader's state in its checkpoint, and
the scheduler's with it: resumed, both go on from there.
"""

import os
import sys
import uuid

from skyrl.train.dataset import PromptDataset
from torch.utils.data import get_worker_info

from envsched import Client, Pick

URL = os.environ.get("ENVSCHED_URL", "http://127.0.0.1:4310")
TOKEN = os.environ.get("ENVSCHED_TOKEN")
KEY = "skyrl-run"  # yours


def task_of(row: dict) -> dict:
    """A row as a task; environment and key together name it and stay the same from run to run."""
    text = "\n".join(str(message["content"]) for message in row["prompt"])
    return {"environment": row["env_class"], "key": row["task"], "text": text}  # yours


class EnvSchedPrompts(PromptDataset):
    def __init__(self, train_batch_size, n_samples_per_prompt, **settings):
        super().__init__(**settings)
        tasks = [task_of(row) for row in self.dataframe]
        self.row_of = {(task["environment"], task["key"]): row for row, task in enumerate(tasks)}
        environments = [{"key": key} for key in sorted({task["environment"] for task in tasks})]  # yours
        self.run = Client(URL, TOKEN).start_run({"name": KEY, "environments": environments, "tasks": tasks}, KEY, key=KEY)
        self.size, self.group_size, self.handed_out = train_batch_size, n_samples_per_prompt, 0

    def __getitems__(self, positions):
        if get_worker_info() is not None:
            raise RuntimeError("a loader's workers fetch ahead of the scheduler: set data.dataloader.num_workers=0")
        version = self.handed_out // self.size
        self.handed_out += len(positions)
        picks = self.run.next_batch(len(positions), self.group_size, version).picks
        # SkyRL needs its full batch: where fewer tasks are free, some are rolled out twice
        return [self.filled(picks[n % len(picks)]) for n in range(len(positions))]

    def __getitem__(self, position):
        return self.__getitems__([position])[0]

    def filled(self, pick):
        messages, env_class, extras, _ = super().__getitem__(self.row_of[pick.environment, pick.task])
        return messages, env_class, {**extras, "envsched": vars(pick)}, uuid.uuid4().hex

    def state_dict(self):
        return {"handed_out": self.handed_out, "scheduler": self.run.state()}

    def load_state_dict(self, state):
        self.handed_out = state["handed_out"]
        self.run.restore(state["scheduler"])

    def report(self, asked, output, **more):
        """A rollout for each trajectory of a training batch; with step-wise training its rewards are summed."""
        if asked["batch_metadata"].training_phase != "train":
            return
        picks = {t.to_string(): Pick(**extras["envsched"]) for t, extras in zip(asked["trajectory_ids"], asked["env_extras"])}
        ids = (output or {}).get("trajectory_ids") or asked["trajectory_ids"]
        totals = dict.fromkeys(picks)
        for trajectory, reward in zip(ids, (output or {}).get("rewards", [])):
            name, value = trajectory.to_string(), sum(reward) if isinstance(reward, list) else reward
            totals[name] = value if totals[name] is None else totals[name] + value
        version = {"policyVersion": asked["batch_metadata"].global_step - 1}  # SkyRL counts its steps from 1
        self.run.report([pick.rollout(totals[name], **version, **more) for name, pick in picks.items()])


def reporting(generate, prompts):
    """The generator's own method, and a report after it; a batch that fails is reported as errors and fails as ever."""

    async def generate_and_report(input_batch, *args, **kwargs):
        try:
            output = await generate(input_batch, *args, **kwargs)
        except Exception as error:
            prompts.report(input_batch, None, status="infra_error", error=repr(error))
            raise
        prompts.report(input_batch, output)
        return output

    return generate_and_report


def main():
    import ray
    from skyrl.train.config import SkyRLTrainConfig
    from skyrl.train.entrypoints.main_base import BasePPOExp
    from skyrl.train.utils import validate_cfg
    from skyrl.train.utils.utils import initialize_ray

    class EnvSchedExp(BasePPOExp):
        def get_train_dataset(self):
            data = {"datasets": self.cfg.data.train_data, "max_prompt_length": self.cfg.trainer.max_prompt_length}
            sizes = self.cfg.trainer.train_batch_size, self.cfg.generator.n_samples_per_prompt
            return EnvSchedPrompts(*sizes, tokenizer=self.tokenizer, **data)

        def get_generator(self, *args, **kwargs):
            generator = super().get_generator(*args, **kwargs)
            generator.generate = reporting(generator.generate, self.train_dataset)
            return generator

    cfg = SkyRLTrainConfig.from_cli_overrides([a for a in sys.argv[1:] if "override_entrypoint=" not in a])
    validate_cfg(cfg)
    initialize_ray(cfg)
    ray.get(ray.remote(num_cpus=1)(lambda: EnvSchedExp(cfg).run()).remote())
