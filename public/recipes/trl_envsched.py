"""TRL: a GRPOTrainer that asks for its next tasks when a batch is about to be generated, and reports their rewards.

Tested against TRL 1.16.0, real GRPO training on a CPU, resumed from a checkpoint and with the server killed on the way.

    from envsched import Client
    from trl import GRPOConfig
    from trl_envsched import EnvSchedGRPOTrainer

    run = Client("http://127.0.0.1:4310/?token=...").start_run(task_set, "my run", key="my-run")
    trainer = EnvSchedGRPOTrainer(
        run,
        model="...",
        args=GRPOConfig(max_steps=200, num_generations=8, ignore_data_skip=True, ...),
        reward_funcs=my_reward,
    )
    trainer.train()
    run.finish()

A task's `payload` is the row that TRL sees: `prompt` (text or messages) and whatever the reward function takes as columns.
`my_reward` is called as TRL calls any other, and what it gives is reported; None is reported as no reward, never as 0.

Policy and scheduler stay in step: the batch of step n is asked with the weights of step n, after all rewards of step n - 1
were reported, also with loader workers and gradient accumulation. A sampler or an iterable dataset cannot do this, since
the loader reads ahead of them. `_generate_and_score_completions` is private; the public way to the same order is
`GRPOTrainer(environment_factory=..., train_dataset=None)` with an environment whose `reset()` returns the prompt of the
next pick: it is called once a rollout, so `num_generations` calls in a row belong to one pick.
Each checkpoint keeps the scheduler's state, and `trainer.train(resume_from_checkpoint=...)` puts it back. Resume with
`ignore_data_skip=True`: the placeholder rows that TRL would skip hold nothing.
"""

from __future__ import annotations

import functools
import json
import logging
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional

# envsched.py lies beside this file or in the folder above it
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

from datasets import Dataset  # noqa: E402
from envsched import EnvSchedError, Pick, Run  # noqa: E402
from transformers import TrainerCallback  # noqa: E402
from transformers.trainer_utils import get_last_checkpoint  # noqa: E402
from trl import GRPOTrainer  # noqa: E402

log = logging.getLogger("envsched")
STATE = "envsched.json"
Reward = Callable[..., List[Optional[float]]]


class EnvSchedGRPOTrainer(GRPOTrainer):
    """`run` is what `Client.start_run` gave, `reward_funcs` one function; all else is GRPOTrainer's."""

    def __init__(self, run: Run, *, args: Any, reward_funcs: Reward, callbacks: Any = (), **more: Any) -> None:
        self.envsched = run
        rows = args.generation_batch_size // args.num_generations
        super().__init__(
            args=args,
            reward_funcs=reported(run, reward_funcs),
            train_dataset=Dataset.from_dict({"prompt": ["placeholder"] * rows}),  # sets the pace, is never rolled out
            callbacks=[*callbacks, Checkpoint(run)],
            **more,
        )

    def train(self, resume_from_checkpoint: Any = None, *rest: Any, **more: Any) -> Any:
        where = resume_from_checkpoint
        folder = get_last_checkpoint(self.args.output_dir) if where is True else where
        if folder and (Path(folder) / STATE).is_file() and self.accelerator.is_main_process:
            self.envsched.restore(json.loads((Path(folder) / STATE).read_text(encoding="utf-8")))
        self.accelerator.wait_for_everyone()
        return super().train(resume_from_checkpoint, *rest, **more)

    def _generate_and_score_completions(self, inputs: List[Dict[str, Any]]) -> Any:
        if self.model.training:  # evaluation keeps its own rows
            group = self.num_generations
            if len(inputs) % group != 0:
                raise ValueError(f"a process rolls out {len(inputs)} rows, which must be a multiple of num_generations")
            picks = next_picks(self.envsched, len(inputs) // group, group, self.state.global_step)
            inputs = [{**pick.payload, "pick": pick} for pick in picks for _ in range(group)]
        return super()._generate_and_score_completions(inputs)


def next_picks(run: Run, size: int, group: int, step: int) -> List[Pick]:
    """Exactly `size`, as TRL needs: where fewer tasks are free, some are rolled out twice, the second time without a lease."""
    picks = run.next_batch(size, group, step).picks
    if not picks:
        raise RuntimeError("EnvSched has no task to roll out: resume some environments, or wait for open leases to expire")
    return picks + [replace(picks[n % len(picks)], lease=None) for n in range(size - len(picks))]


def reported(run: Run, reward: Reward) -> Reward:
    """The reward function, which also reports what it gave; the task goes into TRL's table of completions."""

    @functools.wraps(reward)
    def report(*, pick: Optional[List[Pick]] = None, trainer_state: Any, log_extra: Any, **columns: Any) -> Any:
        rewards = reward(trainer_state=trainer_state, log_extra=log_extra, **columns)
        if pick is not None:
            log_extra("environment", [one.environment for one in pick])
            log_extra("task", [one.task for one in pick])
            run.report(
                one.rollout(value, policyVersion=trainer_state.global_step, tokens=len(ids))
                for one, value, ids in zip(pick, rewards, columns["completion_ids"])
            )
        return rewards

    return report


class Checkpoint(TrainerCallback):
    """Keeps the run's state beside each checkpoint."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def on_save(self, args: Any, state: Any, control: Any, **more: Any) -> None:
        folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if not state.is_world_process_zero or not folder.is_dir():
            return
        try:
            (folder / STATE).write_text(json.dumps(self.run.state()), encoding="utf-8")
        except EnvSchedError as why:
            log.warning("The checkpoint %s holds no state of the scheduler: %s", folder, why)
