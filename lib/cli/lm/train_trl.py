"""TRL's GRPOTrainer on the tiny language model, driven through the recipe as it is handed out: `bench:lm --trainer trl`.

    ENVSCHED_TOKEN=... python train_trl.py --arm envsched --world 1 --steps 60 --server ADDRESS --base FILE --spool FOLDER

Owns: TRL's settings that equal the own loop's, and the groups as TRL's own tables of completions hold them.
Must never know: how tasks are chosen. Invariant: rewards come from `judge`, scores from the exact solve rate.
"""

import argparse
import contextlib
import json
import os
import sys
import time
import warnings
from pathlib import Path
from typing import Any, Dict, List, Optional

os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false", TRL_EXPERIMENTAL_SILENCE="1")

import numpy as np
import pandas
import torch
from envsched import Client, Run, Unreachable
from judge import Judge, group_row, held_out_rates
from transformers import PrinterCallback, TrainerCallback
from transformers_model import TinyConfig, TinyForCausalLM, tokenizer, words
from trl import GRPOConfig
from warm_start import base_model
from world import ANSWER, PAD, World

sys.path.append(str(Path(__file__).resolve().parents[3] / "public" / "recipes"))
from trl_envsched import EnvSchedGRPOTrainer  # noqa: E402

GROUPS, GROUP, RATE, EVERY = 16, 8, 1e-4, 10
PATIENCE = 1000  # tries of a fifth of a second
REWARD = "solved"
WORDS = words()


class Watch(TrainerCallback):
    """Scores every ten steps, and how long a step took."""

    def __init__(self, world: World, model: TinyForCausalLM, run: Run, meet: Optional[int]) -> None:
        self._run, self._meet = run, meet
        self._score = lambda: held_out_rates(world, model.model.language)
        self.scores = [self._score()]
        self.seconds: List[float] = []
        self._start = 0.0

    def on_step_begin(self, *_: Any, **__: Any) -> None:
        self._start = time.perf_counter()

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self.seconds.append(time.perf_counter() - self._start)
        if state.global_step % EVERY == 0:
            self.scores.append(self._score())
        score = f": {self.scores[-1].mean():.3f}" if state.global_step % EVERY == 0 else ""
        print(f"step {state.global_step}{score}", file=sys.stderr, flush=True)
        if state.global_step == self._meet:
            wait_for_server(self._run)


def wait_for_server(run: Run) -> None:
    for _ in range(PATIENCE):
        try:
            run.summary()
            return
        except Unreachable:
            time.sleep(0.2)
    raise RuntimeError("the server did not come back")


def task_set(world: World) -> Dict[str, Any]:
    """The world's, where a task's payload is TRL's row: the prompt as text, the right answer as tokens, its number."""
    made = world.task_set()
    for number, task in enumerate(made["tasks"]):
        answer = world.training.answers[number]
        task["payload"] = {
            "prompt": prompt_of(world, number),
            "answer": answer[answer != PAD].tolist(),
            "number": number,
        }
    return made


def prompt_of(world: World, task: int) -> str:
    return " ".join(WORDS[token] for token in world.training.prompts[task])


def timed(call: Any, seconds: List[float]) -> Any:
    def run(*args: Any, **more: Any) -> Any:
        start = time.perf_counter()
        answer = call(*args, **more)
        seconds.append(time.perf_counter() - start)
        return answer

    return run


def insisting(call: Any) -> Any:
    """A figure of the bench must not be uniform choice without a word."""

    def run(size: int, *args: Any, **more: Any) -> Any:
        batch = call(size, *args, **more)
        if batch.offline or len(batch) != size:
            raise RuntimeError(f"the server gave {len(batch)} of {size} picks: {batch.fallback} {batch.notes}")
        return batch

    return run


def start(world: World, given: argparse.Namespace) -> Run:
    return Client(given.server, spool=given.spool, probe_seconds=0.5).start_run(
        task_set(world),
        f"{given.arm}, world {world.number}, TRL",
        key=given.key,
        seed=world.number,
        config={"scheduler": given.arm},
        planned_steps=given.steps,
        model="0.11 M transformer",
        algorithm="GRPO by TRL",
    )


def settings(world: World, given: argparse.Namespace) -> GRPOConfig:
    """As the own loop: one update a batch, on policy, normalised by group, no penalty for leaving the base model."""
    return GRPOConfig(
        output_dir=given.output,
        max_steps=given.steps,
        per_device_train_batch_size=GROUPS * GROUP // given.parts,
        gradient_accumulation_steps=given.parts,
        dataloader_num_workers=given.workers,
        num_generations=GROUP,
        max_completion_length=ANSWER,
        temperature=1.0,
        top_k=0,
        learning_rate=given.rate,
        lr_scheduler_type="constant",
        weight_decay=0.0,
        max_grad_norm=1.0,
        beta=0.0,
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        dataloader_pin_memory=False,
        ignore_data_skip=True,
        seed=world.number,
        logging_steps=1,
        log_completions=True,
        num_completions_to_print=0,
        report_to="none",
        disable_tqdm=True,
        save_strategy="no" if given.save_every is None else "steps",
        save_steps=given.save_every or 1,
    )


def train(world: World, given: argparse.Namespace) -> Dict[str, Any]:
    judge = Judge(world)

    def solved(completion_ids: List[List[int]], answer: List[List[int]], number: List[int], **_: Any) -> List[float]:
        right = np.array([ids == good for ids, good in zip(completion_ids, answer)]).reshape(-1, GROUP)
        return judge.rewards(number[::GROUP], right).flatten().tolist()

    run = start(world, given)
    seconds: Dict[str, List[float]] = {"ask": [], "report": []}
    run.next_batch = timed(insisting(run.next_batch) if given.alone is None else run.next_batch, seconds["ask"])
    run.report = timed(run.report, seconds["report"])
    model = TinyForCausalLM(TinyConfig(), base_model(world, given.base))
    watch = Watch(world, model, run, given.alone)
    trainer = EnvSchedGRPOTrainer(
        run,
        model=model,
        args=settings(world, given),
        reward_funcs=solved,
        processing_class=tokenizer(),
        callbacks=[watch],
    )
    trainer.remove_callback(PrinterCallback)
    trainer.train(resume_from_checkpoint=given.resume)
    if not given.open:
        run.finish()
    groups = logged_groups(world, Path(given.output))
    done = groups[-GROUPS * len(watch.seconds) :]
    picked = np.zeros(len(world.environments), int)
    keys = [world.environment_key(e) for e in range(len(world.environments))]
    for group in done:
        picked[keys.index(group["environment"])] += 1
    by_step: Dict[int, List[bool]] = {}
    for group in done:
        by_step.setdefault(group["step"], []).append(min(group["rewards"]) < max(group["rewards"]))
    scores = np.array(watch.scores)
    return {
        "every": EVERY,
        "keys": keys[: scores.shape[1]],
        "scores": np.round(scores, 4).tolist(),
        "informative": [float(np.mean(row)) for row in by_step.values()],
        "picked": picked.tolist(),
        "seconds": {name: float(np.median(row)) for name, row in {"step": watch.seconds, **seconds}.items()},
        "groups": groups,
        "run": run.id,
    }


def logged_groups(world: World, output: Path) -> List[Dict[str, Any]]:
    """What TRL wrote down, step by step: `step` counts updates, so its rollouts are those of the policy version before."""
    index = {(world.environment_key(task[0]), world.task_key(task)): i for i, task in enumerate(world.tasks)}
    rows: List[Dict[str, Any]] = []
    for file in sorted((output / "completions").glob("completions_*.parquet")):
        table = pandas.read_parquet(file)
        for start in range(0, len(table), GROUP):
            part = table.iloc[start : start + GROUP]
            if part[["environment", "task"]].drop_duplicates().shape[0] != 1:
                raise RuntimeError(f"a group of {file.name} holds several tasks")
            task = index[part["environment"].iloc[0], part["task"].iloc[0]]
            if (part["prompt"] != prompt_of(world, task)).any():
                raise RuntimeError(f"a group of {file.name} was rolled out from another prompt than its task's")
            rows.append(group_row(world, int(part["step"].iloc[0]) - 1, task, part[REWARD].tolist()))
    return rows


def main() -> None:
    flags = argparse.ArgumentParser()
    flags.add_argument("--arm", required=True)
    flags.add_argument("--world", type=int, required=True)
    flags.add_argument("--steps", type=int, required=True)
    flags.add_argument("--server", required=True)
    flags.add_argument("--base", type=Path, required=True)
    flags.add_argument("--spool", required=True, help="folder for reports that could not be sent")
    flags.add_argument("--output", required=True, help="folder of TRL's completions and checkpoints")
    flags.add_argument("--groups", action="store_true", help="TRL's log is always told: taken for train.py's sake")
    flags.add_argument("--rate", type=float, default=RATE, help="learning rate")
    flags.add_argument("--key", help="the same key goes on with the same run")
    flags.add_argument("--save-every", type=int, help="steps between checkpoints; none without it")
    flags.add_argument("--resume", help="folder of a checkpoint")
    flags.add_argument("--parts", type=int, default=1, help="forward passes an update: gradient accumulation")
    flags.add_argument("--workers", type=int, default=0, help="processes of the loader")
    flags.add_argument("--open", action="store_true", help="does not finish the run, as a trainer that died")
    flags.add_argument("--alone", type=int, help="goes on without the server, as a trainer should, up to this step")
    given = flags.parse_args()
    torch.set_num_threads(1)
    warnings.simplefilter("ignore", FutureWarning)  # TRL's own use of transformers
    world = World(given.world)
    with contextlib.redirect_stdout(sys.stderr):
        told = train(world, given)
    print(json.dumps({"kind": "result", "arm": given.arm, "world": given.world, "steps": given.steps, **told}))


if __name__ == "__main__":
    main()
