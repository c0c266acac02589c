"""verl 0.7.1: the real sampler hook, dataset and loader around the recipe, and `update` with a DataProto after each step as its trainer does."""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "recipes"))
from drive import GROUP, RECIPES, Book, names  # noqa: E402

import datasets  # noqa: E402
import numpy as np  # noqa: E402
import torch  # noqa: E402
from omegaconf import OmegaConf  # noqa: E402
from torchdata.stateful_dataloader import StatefulDataLoader  # noqa: E402
from verl import DataProto  # noqa: E402
from verl.experimental.dataset.sampler import AbstractCurriculumSampler  # noqa: E402
from verl.trainer.main_ppo import create_rl_sampler  # noqa: E402
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn  # noqa: E402

SIZE = 4
folder = Path(tempfile.mkdtemp())
rows = [
    {
        "data_source": environment,
        "prompt": [{"role": "user", "content": f"do {task}"}],
        "reward_model": {"style": "rule", "ground_truth": task},
        "extra_info": {"index": task},
    }
    for environment, task in names()
]
datasets.Dataset.from_list(rows).to_parquet(str(folder / "train.parquet"))
config = OmegaConf.create(
    {
        "sampler": {"class_path": str(RECIPES / "verl_sampler_envsched.py"), "class_name": "EnvSchedSampler"},
        "dataloader_num_workers": 0,
        "train_batch_size": SIZE,
        "gen_batch_size": None,
        "filter_overlong_prompts": False,
        "cache_dir": str(folder),
    }
)
book = Book()


def loader():
    dataset = RLHFDataset(data_files=str(folder / "train.parquet"), tokenizer=None, processor=None, config=config)
    sampler = create_rl_sampler(config, dataset)
    assert isinstance(sampler, AbstractCurriculumSampler)
    return StatefulDataLoader(dataset, batch_size=SIZE, num_workers=0, drop_last=True, collate_fn=collate_fn, sampler=sampler)


def step(dataloader, batches, version):
    batch = next(batches)
    repeated = {name: np.repeat(batch[name], GROUP) for name in ("data_source", "extra_info")}
    scores = torch.zeros(SIZE * GROUP, 5)
    for row, extra in enumerate(batch["extra_info"]):
        rewards = book.played(batch["data_source"][row], extra["index"], None, version)
        # a reward that is missing reaches verl's tensor as NaN
        scores[row * GROUP : (row + 1) * GROUP, 4] = torch.tensor([float("nan") if r is None else r for r in rewards])
    # verl balances a batch over its workers before it updates the sampler
    order = torch.randperm(SIZE * GROUP, generator=torch.Generator().manual_seed(version))
    data = DataProto.from_dict(tensors={"token_level_scores": scores}, non_tensors=repeated)
    data.reorder(order)
    dataloader.sampler.update(batch=data)


first = loader()
batches = iter(first)
step(first, batches, 0)
step(first, batches, 1)
saved = first.state_dict()
book.lost = True
step(first, batches, 2)
book.lost = False
second = loader()
second.load_state_dict(saved)
step(second, iter(second), 2)
book.show()
