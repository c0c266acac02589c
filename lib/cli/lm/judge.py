"""Verdicts on answers, and the exact solve rate of a model: the same for every trainer of `bench:lm`.

Owns: the verifiers of the world, a broken and a flipping one among them. Must never know: who trains.
"""

from typing import Any, Dict, List

import numpy as np
import torch
from model import LanguageModel, solve_probability
from world import FLIPPED, World


class Judge:
    """Its flips follow from the world's number and the order of calls."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._flips = np.random.default_rng(world.number + 50)

    def rewards(self, tasks: List[int], right: np.ndarray) -> np.ndarray:
        """tasks and whether each of their answers is right [groups, size]; rewards of the same shape, 0 or 1."""
        environments = self._world.training.environments[tasks][:, None]
        wrong_verdict = (environments == self._world.flipping) & (self._flips.random(right.shape) < FLIPPED)
        return np.where(environments == self._world.broken, 0.0, (right ^ wrong_verdict).astype(float))


def held_out_rates(world: World, model: LanguageModel) -> np.ndarray:
    """Exact solve rate on the held-out tasks of each environment but the broken one [39]."""
    prompts, answers = torch.from_numpy(world.test.prompts), torch.from_numpy(world.test.answers)
    solved = solve_probability(model, prompts, answers).numpy()
    return np.bincount(world.test.environments, solved) / np.bincount(world.test.environments)


def group_row(world: World, step: int, task: int, rewards: List[float]) -> Dict[str, Any]:
    environment, _ = world.tasks[task]
    return {
        "step": step,
        "environment": world.environment_key(environment),
        "task": world.task_key(world.tasks[task]),
        "rewards": rewards,
    }
