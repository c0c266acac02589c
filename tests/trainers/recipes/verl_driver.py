"""verl 0.9.1: the real dataset, sampler, collate function and loader around the recipe, and the reward function as its workers call it."""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "recipes"))
from drive import GROUP, RECIPES, Book, names, reward_of  # noqa: E402

import datasets  # noqa: E402
from omegaconf import OmegaConf  # noqa: E402
from torchdata.stateful_dataloader import StatefulDataLoader  # noqa: E402
from verl.trainer.ppo.utils import create_rl_dataset, create_rl_sampler  # noqa: E402
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn  # noqa: E402
from verl.utils.import_utils import load_extern_object  # noqa: E402

SIZE = 4
folder = Path(tempfile.mkdtemp())


def rows(split):
    for index, (environment, task) in enumerate(names()):
        yield {
            "data_source": environment,
            "prompt": [{"role": "user", "content": f"{split}: do {task}"}],
            "reward_model": {"style": "rule", "ground_truth": task},
            "extra_info": {"index": task, "split": split},
        }


for split in ("train", "val"):
    datasets.Dataset.from_list(list(rows(split))).to_parquet(str(folder / f"{split}.parquet"))

custom = {"path": str(RECIPES / "verl_envsched.py"), "name": "EnvSchedDataset"}
config = OmegaConf.create(
    {
        "custom_cls": custom,
        "train_files": str(folder / "train.parquet"),
        "val_files": str(folder / "val.parquet"),
        "shuffle": False,
        "train_batch_size": SIZE,
        "gen_batch_size": None,
        "filter_overlong_prompts": False,
        "cache_dir": str(folder),
    }
)


def loader(workers=0):
    dataset = create_rl_dataset(config.train_files, config, None, None)
    assert isinstance(dataset, RLHFDataset)
    size = config.gen_batch_size or SIZE
    sampler = create_rl_sampler(config, dataset)
    return StatefulDataLoader(dataset, batch_size=size, num_workers=workers, drop_last=True, collate_fn=collate_fn, sampler=sampler)


def step(batches, book):
    """One training step: verl repeats each prompt, rolls it out, and its reward workers call the function for each."""
    batch = next(batches)
    assert len(batch["raw_prompt"]) == len(set(map(str, batch["extra_info"])))
    for prompt, source, extra, truth in zip(batch["raw_prompt"], batch["data_source"], batch["extra_info"], batch["reward_model"]):
        ours = extra["envsched"]
        assert prompt[0]["content"] == f"train: do {ours['task']}" and source == ours["environment"] and truth["ground_truth"] == ours["task"]
        entry = book.group(ours["environment"], ours["task"], ours["lease"], ours["version"])
        for copy in range(GROUP):
            compute_score.__globals__["score"] = lambda *_, **__: reward_of(ours["task"], copy, ours["version"])  # noqa: B023
            try:
                entry["rewards"].append(compute_score(source, "", truth["ground_truth"], {**extra, "num_turns": 2, "min_global_steps": ours["version"] if copy > 3 else None}))
            except ValueError:
                entry["rewards"].append(None)


book = Book()
# as verl loads it in its reward workers; what is the reader's to change is changed there
compute_score = load_extern_object(custom["path"], "compute_score")
first = loader()
batches = iter(first)
step(batches, book)
step(batches, book)
saved = first.state_dict()
book.lost = True
step(batches, book)
book.lost = False
second = loader()
second.load_state_dict(saved)
step(iter(second), book)
try:
    next(iter(loader(workers=1)))
    raise AssertionError("a worker asked")
except RuntimeError as refusal:
    assert "data.dataloader_num_workers=0" in str(refusal)
validation = create_rl_dataset(config.val_files, config, None, None, is_train=False)
book.more["validation"] = [item["raw_prompt"][0]["content"] for item in (validation[0], validation[5])]
book.show()
