"""NeMo-RL: its loader wrapper and its rollouts around the recipe, after NVIDIA-NeMo/RL@0f8bce642 nemo_rl/data/dataloader.py.

Facts kept: the function gets iterators and loaders by task name and the records that were set, and gives the batch and the
iterators; the batch must have exactly the expected number of prompts; records are cleared after each call; loaders end and
are begun again by the function. Prompts are repeated, an environment's step gets the conversations and the metadata of all
its rollouts that go on, and returns a named tuple with observations, metadata, rewards and terminateds.
"""

from collections import Counter
from typing import NamedTuple

from drive import ENVIRONMENTS, GROUP, Book, key, names, recipe, reward_of

from nemo_rl.distributed.batched_data_dict import BatchedDataDict

STEP = 6
book = Book()
module = recipe("nemo_rl", KEY=key(), PROMPTS_A_STEP=STEP, GROUP_SIZE=GROUP)
tasks = [{"environment": e, "key": t} for e, t in names()]
module.TASKS = type("", (), {"read_text": lambda self: module.json.dumps({"name": "nemo", "environments": [{"key": e} for e in ENVIRONMENTS], "tasks": tasks})})()


class Number(float):
    """A reward as a tensor gives it: to be summed over its components."""

    def sum(self):
        return self


class EnvironmentReturn(NamedTuple):
    observations: list
    metadata: list
    next_stop_strings: list
    rewards: list
    terminateds: list
    answers: object = None


class Plain:
    """Two turns, half of the reward each. Its metadata say which rollout it is; it keeps nothing else of them."""

    def step(self, message_log_batch, metadata):
        rewards = [Number(reward_of(info["task"], info["copy"], info["version"]) / 2) for info in metadata]
        kept = [{**{name: info[name] for name in ("task", "copy", "version")}, "turn": info["turn"] + 1} for info in metadata]
        ended = [info["turn"] == 1 for info in metadata]
        return EnvironmentReturn([{}] * len(metadata), kept, [None] * len(metadata), rewards, ended)


class Environment(module.Reporting, Plain):
    pass


class Loader:
    def __init__(self, environment):
        self.rows = [task for name, task in names() if name == environment]

    def __iter__(self):
        return (BatchedDataDict(message_log=[f"do {task}"], extra_env_info=[{"task": task}]) for task in self.rows)


class Wrapper:
    def __init__(self):
        self.loaders, self.records = {environment: Loader(environment) for environment in ENVIRONMENTS}, {}
        self.iterators = {name: iter(loader) for name, loader in self.loaders.items()}

    def __next__(self):
        batch, self.iterators = module.choose(self.iterators, self.loaders, **self.records)
        assert len(batch["message_log"]) == STEP
        self.records = {}
        return batch


def step(wrapper, version):
    infos = next(wrapper)["extra_env_info"]
    book.more["shares"].append(Counter(info["envsched"]["environment"] for info in infos))
    environment = Environment()
    for info in infos:
        ours = info["envsched"]
        assert ours["version"] == version, (ours, version)
        entry = book.group(ours["environment"], info["task"], None, version)
        going = [{**info, "copy": copy, "version": version, "turn": 0} for copy in range(GROUP)]
        try:
            while going:
                result = environment.step([[]] * len(going), going)
                going = [kept for kept, ended in zip(result.metadata, result.terminateds) if not ended]
            entry["rewards"] = [reward_of(info["task"], copy, version) for copy in range(GROUP)]
        except ValueError:
            entry["rewards"] = [None] * GROUP


book.more["shares"] = []
wrapper = Wrapper()
for version in range(5):
    step(wrapper, version)
wrapper.records = {"target_weight_version": 7, "expected_num_prompts": STEP}
step(wrapper, 7)
# a new process would begin like this
module.the_run.cache_clear()
module.Version.next = None
step(Wrapper(), 8)
book.show()
