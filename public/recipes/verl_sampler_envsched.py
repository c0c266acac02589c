"""verl 0.6 to 0.7: a curriculum sampler that asks for each batch and reports it after the step.

Tested against verl 0.7.1's real classes: AbstractCurriculumSampler, create_rl_sampler, RLHFDataset, DataProto, StatefulDataLoader.

    data.sampler.class_path=verl_sampler_envsched.py
    data.sampler.class_name=EnvSchedSampler
    # verl insists on it for curriculum samplers
    data.dataloader_num_workers=0
    # rollouts a task: the same as GROUP_SIZE in this file
    actor_rollout_ref.rollout.n=8

Each row of data.train_files is a task. A sampler can only say which rows come next, so the leases of a batch are kept
here until verl calls `update` with its rollouts; they are matched by the same environment and key, which must be unique.
verl 0.8 took this hook away: see verl_envsched.py. The sampler is in verl's checkpoint, and the scheduler's state
with it: resumed, both go on from there and ask for one batch, not for those that they had already.
"""

import os
import sys
from pathlib import Path

from verl.experimental.dataset.sampler import AbstractCurriculumSampler

sys.path.append(str(Path(__file__).resolve().parent))
from envsched import Client  # noqa: E402

URL = os.environ.get("ENVSCHED_URL", "http://127.0.0.1:4310")
TOKEN = os.environ.get("ENVSCHED_TOKEN")
KEY = "verl-sampler-run"  # yours
# the same as actor_rollout_ref.rollout.n
GROUP_SIZE = 8  # yours


def name_of(data_source: str, extra_info: dict) -> tuple:
    """Environment and key of a row; together they name it and stay the same from run to run."""
    return data_source, str(extra_info["index"])  # yours


class EnvSchedSampler(AbstractCurriculumSampler):
    def __init__(self, data_source, data_config):
        rows = list(data_source.dataframe)
        names = [name_of(row["data_source"], row["extra_info"]) for row in rows]
        self.row_of = {name: row for row, name in enumerate(names)}
        texts = ["\n".join(str(message["content"]) for message in row["prompt"]) for row in rows]
        tasks = [{"environment": name[0], "key": name[1], "text": text} for name, text in zip(names, texts)]
        environments = [{"key": key} for key in sorted({name[0] for name in names})]  # yours
        self.run = Client(URL, TOKEN).start_run({"name": KEY, "environments": environments, "tasks": tasks}, KEY, key=KEY)
        self.size = data_config.get("gen_batch_size") or data_config.train_batch_size
        self.steps, self.out = 0, {}

    def __len__(self):
        return len(self.row_of)

    def __iter__(self):
        for _ in range(len(self) // self.size):
            picks = self.run.next_batch(self.size, GROUP_SIZE, self.steps).picks
            self.out.update({(pick.environment, pick.task): pick for pick in picks})
            # verl needs its full batch: where fewer tasks are free, some are rolled out twice
            filled = [picks[n % len(picks)] for n in range(self.size)]
            yield from [self.row_of[pick.environment, pick.task] for pick in filled]

    def update(self, batch):
        """verl calls this after each step with its rollouts: rewards are sums over a response's tokens."""
        rewards = batch.batch["token_level_scores"].sum(-1).tolist()
        rows = zip(batch.non_tensor_batch["data_source"], batch.non_tensor_batch["extra_info"], rewards)
        known = [(self.out.get(name_of(source, extra)), reward) for source, extra, reward in rows]
        self.run.report([pick.rollout(reward) for pick, reward in known if pick is not None])
        self.steps, self.out = self.steps + 1, {}

    def state_dict(self):
        return {"steps": self.steps, "scheduler": self.run.state()}

    def load_state_dict(self, state):
        self.steps = state["steps"]
        self.run.restore(state["scheduler"])
