"""The base model: supervised training on demonstrations of teachers who know some skills well and others hardly.

Owns: 1,800 steps of 96 fresh demonstrations, each call right with the teacher's probability, else any call; and the file
that keeps the result. Must never know: tasks, rewards. Invariant: world and recipe give the base model, so arms start equal.

    python warm_start.py WORLD FILE
"""

import os
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from model import LanguageModel
from torch import nn
from world import (
    ANSWER,
    CALL_TOKEN,
    END,
    GO,
    LENGTH_TOKEN,
    LENGTHS,
    PAD,
    PROMPT,
    REQUEST_TOKEN,
    REQUESTS,
    REQUESTS_A_SKILL,
    SKILL_TOKEN,
    SKILLS,
    VOCABULARY,
    World,
)

STEPS, DEMONSTRATIONS, RATE = 1800, 96, 3e-3
RISE, LEAST = 50, 0.03  # steps of growing rate; where it ends, as a share


class Teachers:
    """Draws demonstrations of all environments alike."""

    def __init__(self, world: World, seed: int) -> None:
        self._draw = np.random.default_rng(seed)
        self._environments = np.array(world.environments)
        self._requests = np.array(world.requests)
        self._calls = np.zeros((SKILLS, len(REQUESTS)), int)
        self._knows = np.zeros((SKILLS, len(REQUESTS)))
        for skill in range(SKILLS):
            for request, call in world.calls[skill].items():
                self._calls[skill, request] = call
                self._knows[skill, request] = world.teaching[skill][request]

    def demonstrate(self, count: int) -> "tuple[torch.Tensor, torch.Tensor]":
        """Prompts [count, 9] and answers [count, 7]."""
        draw, most = self._draw, ANSWER - 1
        which = self._environments[draw.integers(0, len(self._environments), count)]
        skill, length = which[:, 0], which[:, 1]
        calls = np.array(LENGTHS)[length]
        asked = self._requests[skill[:, None], draw.integers(0, REQUESTS_A_SKILL, (count, most))]
        used = np.arange(most) < calls[:, None]
        right = draw.random((count, most)) < self._knows[skill[:, None], asked]
        made = np.where(right, self._calls[skill[:, None], asked], draw.integers(0, len(REQUESTS), (count, most)))
        prompts, answers = np.full((count, PROMPT), PAD), np.full((count, ANSWER), PAD)
        prompts[:, 0], prompts[:, 1], prompts[:, -1] = SKILL_TOKEN + skill, LENGTH_TOKEN + length, GO
        prompts[:, 2:-1] = np.where(used, REQUEST_TOKEN + asked, PAD)
        answers[:, :most] = np.where(used, CALL_TOKEN + made, PAD)
        answers[np.arange(count), calls] = END
        return torch.from_numpy(prompts), torch.from_numpy(answers)


def warm_start(world: World, steps: int = STEPS) -> LanguageModel:
    torch.manual_seed(world.number)
    teachers = Teachers(world, world.number)
    model = LanguageModel()
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.0)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min(1.0, (step + 1) / RISE) * max(LEAST, 1 - step / steps)
        prompts, answers = teachers.demonstrate(DEMONSTRATIONS)
        logits, _ = model(torch.cat([prompts, answers[:, :-1]], 1))
        loss = F.cross_entropy(logits[:, PROMPT - 1 :].reshape(-1, VOCABULARY), answers.reshape(-1), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return model


def base_model(world: World, file: Path) -> LanguageModel:
    """From the file where it is there, else made and kept there."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        unfinished = file.with_name(f"{file.name}.{os.getpid()}")
        torch.save(warm_start(world).state_dict(), unfinished)
        unfinished.replace(file)
    model = LanguageModel()
    model.load_state_dict(torch.load(file, weights_only=True))
    return model


if __name__ == "__main__":
    torch.set_num_threads(1)
    base_model(World(int(sys.argv[1])), Path(sys.argv[2]))
