"""A double of slime's data sources, after THUDM/slime@018ff18f7 slime/rollout/data_source.py and utils/types.py.

Facts kept: the constructor takes only `args`; `dataset.samples` are Sample objects of the prompt data, shuffled in place;
the buffer is served first, oldest first; `save` and `load` get a rollout id and find their folders in `args`; a sample has
status, metadata, weight_versions (strings) and get_reward_value(args).
"""

import enum
import os
import random
from dataclasses import dataclass, field


class Status(enum.Enum):
    PENDING = "pending"
    COMPLETED = "completed"
    TRUNCATED = "truncated"
    ABORTED = "aborted"
    FAILED = "failed"


@dataclass
class Sample:
    prompt: object = ""
    label: object = None
    metadata: dict = field(default_factory=dict)
    group_index: object = None
    index: object = None
    reward: object = None
    response_length: int = 0
    weight_versions: list = field(default_factory=list)
    status: Status = Status.PENDING

    def get_reward_value(self, args):
        return self.reward if args.reward_key is None else self.reward[args.reward_key]


class Dataset:
    def __init__(self, rows):
        self.samples = [Sample(prompt=row["prompt"], metadata=row["metadata"]) for row in rows]

    def shuffle(self, epoch):
        random.Random(epoch).shuffle(self.samples)


class RolloutDataSourceWithBuffer:
    def __init__(self, args):
        self.args = args
        self.dataset = Dataset(args.prompt_data)
        self.sample_group_index = self.sample_index = self.epoch_id = 0
        self.buffer = []
        if args.rollout_shuffle:
            self.dataset.shuffle(self.epoch_id)

    def _get_samples_from_buffer(self, num_samples):
        taken, self.buffer = self.buffer[:num_samples], self.buffer[num_samples:]
        return taken

    def add_samples(self, samples):
        for group in samples:
            assert len(group) == self.args.n_samples_per_prompt
            self.buffer.append(group)

    def save(self, rollout_id):
        os.makedirs(os.path.join(self.args.save, "rollout"), exist_ok=True)

    def load(self, rollout_id=None):
        if self.args.load is not None and self.args.rollout_shuffle:
            self.dataset.shuffle(self.epoch_id)
