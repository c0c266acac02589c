"""skyrl 0.4.0: the real prompt dataset in a StatefulDataLoader as build_dataloader makes it; its step and generator are doubles.

The step is after skyrl/train/trainer.py and generators/utils.py of that release: prompts repeated, a TrajectoryID for each,
extras copied, metadata with the step (from 1) and the phase; a generator's rewards are numbers or a list for each token.
"""

import asyncio
import copy as copying
import json
import sys
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "recipes"))
from drive import GROUP, Book, names, recipe, reward_of  # noqa: E402

import torch  # noqa: E402
from skyrl.train.dataset import PromptDataset  # noqa: E402
from torchdata.stateful_dataloader import StatefulDataLoader  # noqa: E402

SIZE = 4
book = Book()
module = recipe("skyrl")
rows = [{"prompt": [{"role": "user", "content": f"do {task}"}], "env_class": environment, "task": task} for environment, task in names()]
Path("train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


class Tokenizer:
    def apply_chat_template(self, messages, **_):
        return [1, 2, 3]


class TrajectoryID:
    def __init__(self, instance_id, repetition_id):
        self.instance_id, self.repetition_id = instance_id, repetition_id

    def to_string(self):
        return f"{self.instance_id}_{self.repetition_id}"


def loader():
    data = {"datasets": ["train.jsonl"], "tokenizer": Tokenizer(), "max_prompt_length": 64, "num_workers": 1}
    dataset = module.EnvSchedPrompts(SIZE, GROUP, **data)
    assert isinstance(dataset, PromptDataset) and len(dataset) == len(rows)
    generator = torch.Generator()
    generator.manual_seed(3)
    return StatefulDataLoader(dataset, batch_size=SIZE, shuffle=True, collate_fn=dataset.collate_fn, num_workers=0, drop_last=True, generator=generator)


def generator_input(prompts, step, phase):
    repeated = [prompt for prompt in prompts for _ in range(GROUP)]
    return {
        "prompts": [prompt["prompt"] for prompt in repeated],
        "env_classes": [prompt["env_class"] for prompt in repeated],
        "env_extras": [copying.deepcopy(prompt["env_extras"]) for prompt in repeated],
        "trajectory_ids": [TrajectoryID(prompt["uid"], copy) for prompt in prompts for copy in range(GROUP)],
        "batch_metadata": SimpleNamespace(global_step=step, training_phase=phase),
    }


def generator(kind):
    async def generate(asked, disable_tqdm=False):
        rewards, ids = [], []
        for trajectory, extras in zip(asked["trajectory_ids"], asked["env_extras"]):
            try:
                reward = reward_of(extras["task"], trajectory.repetition_id, asked["batch_metadata"].global_step - 1)
            except ValueError:
                reward = float("nan")
            parts = [reward] if kind == "whole" else [[0.0, reward]] if kind == "tokens" else [[0.0], [reward]]
            rewards += parts
            ids += [trajectory] * len(parts)
        if kind == "lost":
            raise RuntimeError("the engine is gone")
        return {"rewards": rewards, "trajectory_ids": ids if kind == "steps" else None}

    return generate


async def step(dataloader, batches, number, kind):
    prompts = next(batches)
    assert len({prompt["uid"] for prompt in prompts}) == SIZE
    asked = generator_input(prompts, number, "train")
    for prompt in prompts:
        ours = prompt["env_extras"]["envsched"]
        assert prompt["prompt"][0]["content"] == f"do {ours['task']}" and prompt["env_class"] == ours["environment"]
        rewards = book.played(ours["environment"], ours["task"], ours["lease"], number - 1)
        if kind == "lost":
            rewards[:] = [None] * GROUP
    try:
        await module.reporting(generator(kind), dataloader.dataset)(asked, disable_tqdm=True)
    except RuntimeError:
        assert kind == "lost"


async def main():
    first = loader()
    batches = iter(first)
    await step(first, batches, 1, "whole")
    await step(first, batches, 2, "tokens")
    evaluation = [{"prompt": [], "env_class": None, "env_extras": {"task": "airline-1"}, "uid": "0"}]
    await module.reporting(generator("whole"), first.dataset)(generator_input(evaluation, 2, "eval"))
    saved = first.state_dict()
    book.lost = True
    await step(first, batches, 3, "whole")
    book.lost = False
    second = loader()
    second.load_state_dict(saved)
    batches = iter(second)
    await step(second, batches, 3, "steps")
    await step(second, batches, 4, "lost")


asyncio.run(main())
book.show()
