"""An oracle that chooses by what no scheduler can know: the exact success probability of every training task.

Owns: value p (1 - p)^2 of the true p with the recency, similarity, coverage and caps that a simple field would use. A quarter
of the slots is uniform in shuffled epochs, as everyone else's (`uniform_share` 0 leaves them out). Must never know: the
server, rewards. It asks and reports nowhere.
"""

from typing import Any, Callable, Dict, List

import numpy as np
from world import FLIPPED, REQUESTS, World


class OracleChooser:
    RECENCY, RECENCY_STEPS, COVERAGE, COVERAGE_DECAY, SIMILARITY, CAP = 0.6, 3.0, 0.03, 0.95, 0.3, 2

    def __init__(self, world: World, uniform_share: float) -> None:
        self._draw = np.random.default_rng(world.number)
        self._uniform_share = uniform_share
        self._epoch: List[int] = []
        self._owed = 0.0
        self._environment = world.training.environments
        self._broken = self._environment == world.broken
        self._flipping = self._environment == world.flipping
        self._last = np.full(len(world.tasks), -np.inf)
        self._seen = np.zeros(len(world.environments))
        self._length = np.array([len(requests) for _, requests in world.tasks], float)
        uses = np.zeros((len(world.tasks), len(REQUESTS)))
        for i, (_, requests) in enumerate(world.tasks):
            for request in requests:
                uses[i, request] += 1
        self._uses = uses / np.linalg.norm(uses, axis=1, keepdims=True)
        self.seconds: Dict[str, List[float]] = {}

    def next_tasks(self, step: int, size: int, solve: Callable[[], np.ndarray]) -> List[int]:
        p = solve()
        p = np.where(self._broken, 0.0, np.where(self._flipping, FLIPPED + (1 - 2 * FLIPPED) * p, p))
        fresh = 1 - self.RECENCY * np.exp((self._last - step) / self.RECENCY_STEPS)
        score = p * (1 - p) ** 2 * fresh + self.COVERAGE / np.sqrt(1 + self._seen[self._environment])
        score = score + 1e-6 * self._draw.random(len(score))
        chosen = self._uniform(size)
        alike = np.zeros(len(score))
        count = np.bincount(self._environment[chosen], minlength=len(self._seen)) if chosen else np.zeros(len(self._seen))
        score[chosen] = -np.inf
        while len(chosen) < size:
            free = np.where(count[self._environment] < self.CAP, score * (1 - self.SIMILARITY * alike), -np.inf)
            best = int(np.argmax(free))
            chosen.append(best)
            score[best] = -np.inf
            count[self._environment[best]] += 1
            alike = np.maximum(alike, self._likeness(best))
        return chosen

    def _likeness(self, task: int) -> np.ndarray:
        same = np.where(self._environment == self._environment[task], 1.0, 0.7)
        return self._uses @ self._uses[task] * np.exp(-np.abs(self._length - self._length[task]) / 1.5) * same

    def _uniform(self, size: int) -> List[int]:
        self._owed += size * self._uniform_share
        count = int(self._owed)
        self._owed -= count
        if len(self._epoch) < count:
            self._epoch += [int(i) for i in self._draw.permutation(len(self._last))]
        taken, self._epoch = self._epoch[:count], self._epoch[count:]
        return list(dict.fromkeys(taken))

    def told(self, step: int, tasks: List[int], rewards: np.ndarray) -> None:
        self._seen *= self.COVERAGE_DECAY
        np.add.at(self._seen, self._environment[tasks], 1)
        self._last[tasks] = step

    def end(self) -> Dict[str, Any]:
        return {"run": None}
