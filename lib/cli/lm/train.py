"""GRPO on the tiny language model: one arm in one world, told as one line of JSON.

    ENVSCHED_TOKEN=... python train.py --arm envsched --world 1 --steps 300 --server ADDRESS --base FILE --spool FOLDER

Owns: 16 groups of 8 rollouts a step, normalised advantages, AdamW, the exact solve rate on held-out tasks every 10 steps.
Must never know: how tasks are chosen. Invariant: rewards are reported before they are trained on, so policy version = step.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
import torch
from choosers import GROUP, Chooser, chooser_for
from judge import Judge, group_row, held_out_rates
from model import LanguageModel, answer_log_probability, sample, solve_probability
from torch import Tensor, nn
from warm_start import base_model
from world import PAD, World

GROUPS, RATE, CLIP, EVERY = 16, 1e-4, 1.0, 10
TINY = 1e-4  # beside the standard deviation of a group


class Trainer:
    def __init__(self, world: World, model: LanguageModel, chooser: Chooser) -> None:
        self.world, self.model, self.chooser = world, model, chooser
        self._optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.0)
        self._tokens = torch.Generator().manual_seed(world.number)
        self._judge = Judge(world)
        self._prompts, self._answers = torch.from_numpy(world.training.prompts), torch.from_numpy(world.training.answers)

    def score(self) -> np.ndarray:
        return held_out_rates(self.world, self.model)

    def step(self, number: int) -> Dict[str, Any]:
        """Asks, rolls out, reports, trains. Gives the tasks and their rewards [16, 8]."""
        tasks = self.chooser.next_tasks(number, GROUPS, self._solve)
        written = sample(self.model, self._prompts[tasks], GROUP, self._tokens)
        right = (written == self._answers[tasks].repeat_interleave(GROUP, 0)).all(1).numpy().reshape(-1, GROUP)
        rewards = self._judge.rewards(tasks, right)
        self.chooser.told(number, tasks, rewards)
        self._train(tasks, written, torch.from_numpy(rewards))
        return {"tasks": tasks, "rewards": rewards}

    def _solve(self) -> np.ndarray:
        return solve_probability(self.model, self._prompts, self._answers).numpy().astype(float)

    def _train(self, tasks: List[int], written: Tensor, rewards: Tensor) -> None:
        mean, deviation = rewards.mean(1, keepdim=True), rewards.std(1, keepdim=True)
        advantages = ((rewards - mean) / (deviation + TINY)).flatten().float()
        used = advantages != 0
        if not bool(used.any()):
            return
        prompts = self._prompts[tasks].repeat_interleave(GROUP, 0)[used]
        log_probability = answer_log_probability(self.model, prompts, written[used]).sum(1)
        loss = -(log_probability * advantages[used]).sum() / (written != PAD).sum()
        self._optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self._optimizer.step()


def train(trainer: Trainer, steps: int, groups: bool) -> Dict[str, Any]:
    scores = [trainer.score()]
    informative: List[float] = []
    seconds: List[float] = []
    log: List[Dict[str, Any]] = []
    picked = np.zeros(len(trainer.world.environments), int)
    for step in range(steps):
        start = time.perf_counter()
        done = trainer.step(step)
        seconds.append(time.perf_counter() - start)
        rewards = done["rewards"]
        informative.append(float((rewards.min(1) < rewards.max(1)).mean()))
        np.add.at(picked, trainer.world.training.environments[done["tasks"]], 1)
        if groups:
            log += [group_row(trainer.world, step, task, row.tolist()) for task, row in zip(done["tasks"], rewards)]
        if (step + 1) % EVERY == 0:
            scores.append(trainer.score())
            print(f"step {step + 1}: {scores[-1].mean():.3f}", file=sys.stderr, flush=True)
    by_step = np.array(scores)
    return {
        "every": EVERY,
        "keys": [trainer.world.environment_key(e) for e in range(by_step.shape[1])],
        "scores": np.round(by_step, 4).tolist(),
        "informative": informative,
        "picked": picked.tolist(),
        "seconds": {"step": middle(seconds), **{name: middle(row) for name, row in trainer.chooser.seconds.items()}},
        **({"groups": log} if groups else {}),
        **trainer.chooser.end(),
    }


def middle(values: List[float]) -> float:
    return float(np.median(values))


def main() -> None:
    flags = argparse.ArgumentParser()
    flags.add_argument("--arm", required=True)
    flags.add_argument("--world", type=int, required=True)
    flags.add_argument("--steps", type=int, required=True)
    flags.add_argument("--server", required=True, help="its address, or - for the process that started this one")
    flags.add_argument("--base", type=Path, required=True)
    flags.add_argument("--spool", required=True)
    flags.add_argument("--groups", action="store_true", help="tell every group and its rewards")
    given = flags.parse_args()
    torch.set_num_threads(1)
    world = World(given.world)
    model = base_model(world, given.base)
    chooser = chooser_for(given.arm, world, given.server, given.spool, given.steps)
    told = train(Trainer(world, model, chooser), given.steps, given.groups)
    print(json.dumps({"kind": "result", "arm": given.arm, "world": given.world, "steps": given.steps, **told}))


if __name__ == "__main__":
    main()
