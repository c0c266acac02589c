"""trinity-rft 0.6.0: the real registries, base classes and experiences around the recipe, called as its reader and pipeline call them."""

import asyncio
import sys
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "recipes"))
from drive import GROUP, RECIPES, Book, names  # noqa: E402

sys.path.insert(0, str(RECIPES))
import torch  # noqa: E402
from trinity.buffer.operators import EXPERIENCE_OPERATORS, ExperienceOperatorV1  # noqa: E402
from trinity.buffer.reader.file_reader import _HFBatchReader  # noqa: E402
from trinity.buffer.selector import SELECTORS, BaseSelector  # noqa: E402
from trinity.common.config import DataSelectorConfig  # noqa: E402
from trinity.common.constants import SELECTOR_METRIC  # noqa: E402
from trinity.common.experience import EID, Experience  # noqa: E402

SIZE = 4
book = Book()
rows = [{"environment": environment, "task": task, "question": f"do {task}"} for environment, task in names()]


def reader():
    """_DatasetFileReader: the selector by its dotted name, made from the batch reader and its configuration."""
    config = DataSelectorConfig(selector_type="trinity_envsched.EnvSchedSelector")
    dataset = _HFBatchReader(rows, name="mine", default_batch_size=SIZE, total_epochs=9, enable_progress_bar=False)
    selector = SELECTORS.get(config.selector_type)(dataset, config)
    assert isinstance(selector, BaseSelector)
    return dataset, selector


def experiences(task, index, version):
    """Two steps a run, the reward of the last one is the run's; a run whose verifier breaks leaves nothing."""
    row = rows[index]
    rewards = book.played(row["environment"], row["task"], None, version)
    for run, reward in enumerate(rewards):
        for step in (1, 0) if reward is not None else ():
            yield Experience(
                eid=EID(batch=version, task=task, run=run, step=step),
                tokens=torch.tensor([1, 2, 3]),
                prompt_length=1,
                reward=reward if step == 1 else 0.5,
                info={"task_index": {"taskset_id": 0, "index": index}, "model_version": version},
            )


async def step(dataset, selector, operator, version):
    indices = selector.get_indices(SIZE)
    samples = dataset.select_batch(indices)
    assert [sample["question"] for sample in samples] == [rows[index]["question"] for index in indices]
    exps = [exp for task, index in enumerate(indices) for exp in experiences(task, int(index), version)]
    kept, metrics = await operator.process(exps)
    assert kept is exps
    for taskset, told in metrics[SELECTOR_METRIC].items():
        assert taskset == 0
        selector.feedback(**told)


async def main():
    operator = EXPERIENCE_OPERATORS.get("trinity_envsched.EnvSchedRewards")()
    assert isinstance(operator, ExperienceOperatorV1)
    dataset, selector = reader()
    selector.load_state_dict({"current_index": 0})
    await step(dataset, selector, operator, 0)
    await step(dataset, selector, operator, 1)
    saved = selector.state_dict()
    book.lost = True
    await step(dataset, selector, operator, 2)
    book.lost = False
    dataset, selector = reader()
    selector.load_state_dict(saved)
    await step(dataset, selector, operator, 2)


asyncio.run(main())
book.show()
