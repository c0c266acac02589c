"""verl 0.8 and newer: a dataset class that hands out the scheduler's picks, and a reward function that reports them.

Tested against verl 0.9.1's real classes: create_rl_dataset, RLHFDataset, create_rl_sampler, collate_fn, StatefulDataLoader.

    data.custom_cls.path=verl_envsched.py
    data.custom_cls.name=EnvSchedDataset
    data.shuffle=False
    # workers would fetch batches before the last one was reported
    data.dataloader_num_workers=0
    # rollouts a task: the same as GROUP_SIZE in this file
    actor_rollout_ref.rollout.n=8
    reward.custom_reward_function.path=verl_envsched.py
    reward.custom_reward_function.name=compute_score

Your Parquet files stay as they are: each row of data.train_files is a task, data.val_files are read as ever. What the
loader asks for by position is ignored; a pick's row goes out with its lease in `extra_info`, and the reward function
reports it from there, in whatever process verl runs it. envsched.py lies beside this file, on every node.
verl keeps the loader's state in its checkpoint, and the scheduler's with it: resumed, both go on from there.
"""

import os
import sys
from functools import lru_cache
from pathlib import Path

from torch.utils.data import get_worker_info
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl.utils.reward_score import default_compute_score as score  # yours

sys.path.append(str(Path(__file__).resolve().parent))
from envsched import Client, Pick  # noqa: E402

URL = os.environ.get("ENVSCHED_URL", "http://127.0.0.1:4310")
TOKEN = os.environ.get("ENVSCHED_TOKEN")
KEY = "verl-run"  # yours
# the same as actor_rollout_ref.rollout.n
GROUP_SIZE = 8  # yours


def task_of(row: dict) -> dict:
    """A row as a task; environment and key together name it and stay the same from run to run."""
    text = "\n".join(str(message["content"]) for message in row["prompt"])
    return {"environment": row["data_source"], "key": str(row["extra_info"]["index"]), "text": text}  # yours


@lru_cache(maxsize=None)
def run_of(task_set: str):
    """The run, from a process that has only the task set's id."""
    return Client(URL, TOKEN).start_run(task_set, KEY, key=KEY)


class EnvSchedDataset(RLHFDataset):
    def __init__(self, data_files, tokenizer, config, processor=None, max_samples=-1):
        super().__init__(data_files, tokenizer, config, processor, max_samples)
        self.handed_out, self.run = 0, None
        if str(data_files) != str(config.train_files):  # verl reads the validation files with this class, too
            return
        tasks = [task_of(row) for row in self.dataframe]
        self.row_of = {(task["environment"], task["key"]): row for row, task in enumerate(tasks)}
        environments = [{"key": key} for key in sorted({task["environment"] for task in tasks})]  # yours
        client = Client(URL, TOKEN)
        task_set = client.register_tasks({"name": KEY, "environments": environments, "tasks": tasks})
        self.run = client.start_run(task_set, KEY, key=KEY)

    def __getitems__(self, positions):
        if self.run is None:
            return [super(EnvSchedDataset, self).__getitem__(position) for position in positions]
        if get_worker_info() is not None:
            raise RuntimeError("a loader's workers fetch ahead of the scheduler: set data.dataloader_num_workers=0")
        version = self.handed_out // self.config.train_batch_size
        self.handed_out += len(positions)
        picks = self.run.next_batch(len(positions), GROUP_SIZE, version).picks
        # verl needs its full batch: where fewer tasks are free, some are rolled out twice
        return [self.filled(picks[n % len(picks)]) for n in range(len(positions))]

    def __getitem__(self, position):
        return self.__getitems__([position])[0]

    def filled(self, pick: Pick) -> dict:
        row = super().__getitem__(self.row_of[pick.environment, pick.task])
        ours = {"environment": pick.environment, "task": pick.task, "lease": pick.lease, "version": pick.policy_version}
        row["extra_info"] = {**row["extra_info"], "envsched": {**ours, "task_set": self.run.task_set.id}}
        return row

    def state_dict(self):
        return {"handed_out": self.handed_out, "scheduler": None if self.run is None else self.run.state()}

    def load_state_dict(self, state):
        self.handed_out = state["handed_out"]
        if self.run is not None:
            self.run.restore(state["scheduler"])


def compute_score(data_source, solution_str, ground_truth, extra_info=None, **more):
    """verl's reward function; what `score` raises is reported as an error, never as a reward of 0, and raised again."""
    try:
        result = score(data_source, solution_str, ground_truth, extra_info, **more)
    except Exception as error:
        report(extra_info, None, status="verifier_error", error=repr(error))
        raise
    report(extra_info, result["score"] if isinstance(result, dict) else result)
    return result


def report(extra_info, reward, **more):
    ours = (extra_info or {}).get("envsched")
    if ours is None or ours["task_set"] is None:  # validation, or the server was away when training began
        return
    version = extra_info.get("min_global_steps")  # asynchronous trainers know it better than the dataset
    pick = Pick(ours["environment"], ours["task"], GROUP_SIZE, ours["version"] if version is None else version, ours["lease"])
    turns = extra_info.get("num_turns")
    run_of(ours["task_set"]).report([pick.rollout(reward, turns=None if turns is None else int(turns), **more)])
