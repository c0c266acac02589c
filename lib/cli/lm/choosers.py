"""Who says what to roll out next: the live server, the process that started this one, or an oracle that looks into the model.

Owns: the ways to the same interface. `next_tasks(step, solve)` gives task indices, `told(step, tasks, rewards)` reports
their groups; `solve()` gives the exact success probability of every training task and is the oracle's alone.
Must never know: how the model is trained.
"""

import json
import sys
import time
from typing import Any, Callable, Dict, List, Protocol, Tuple

import numpy as np
from envsched import Client, Pick
from world import FLIPPED, World

GROUP = 8
Solve = Callable[[], np.ndarray]


class Chooser(Protocol):
    seconds: Dict[str, List[float]]

    def next_tasks(self, step: int, size: int, solve: Solve) -> List[int]: ...
    def told(self, step: int, tasks: List[int], rewards: np.ndarray) -> None: ...
    def end(self) -> Dict[str, Any]: ...


class ServerChooser:
    """Asks the server and reports to it, one call each a step."""

    def __init__(self, world: World, arm: str, address: str, spool: str, steps: int) -> None:
        client = Client(address, spool=spool)
        name = f"{arm}, world {world.number}"
        self._run = client.start_run(
            world.task_set(),
            name,
            seed=world.number,
            config={"scheduler": arm},
            planned_steps=steps,
            model="0.11 M transformer",
            algorithm="GRPO",
        )
        self._index = {(world.environment_key(task[0]), world.task_key(task)): i for i, task in enumerate(world.tasks)}
        self._picks: List[Pick] = []
        self.seconds: Dict[str, List[float]] = {"ask": [], "report": []}

    def next_tasks(self, step: int, size: int, solve: Solve) -> List[int]:
        start = time.perf_counter()
        batch = self._run.next_batch(size, GROUP, step)
        self.seconds["ask"].append(time.perf_counter() - start)
        if batch.offline or len(batch) != size:
            raise RuntimeError(f"the server gave {len(batch)} of {size} picks at step {step}: {batch.fallback} {batch.notes}")
        self._picks = batch.picks
        return [self._index[pick.environment, pick.task] for pick in self._picks]

    def told(self, step: int, tasks: List[int], rewards: np.ndarray) -> None:
        rows = [pick.rollout(float(reward)) for pick, group in zip(self._picks, rewards) for reward in group]
        start = time.perf_counter()
        answer = self._run.report(rows)
        self.seconds["report"].append(time.perf_counter() - start)
        if answer["accepted"] != len(rows):
            raise RuntimeError(f"the server took {answer['accepted']} of {len(rows)} rollouts at step {step}: {answer}")

    def end(self) -> Dict[str, Any]:
        self._run.finish()
        return {"run": self._run.id}


class LineChooser:
    """Asks the process that started this one, a JSON line each on the standard streams."""

    def __init__(self, world: World) -> None:
        self.seconds: Dict[str, List[float]] = {"ask": []}
        self._say({"kind": "register", "taskSet": world.task_set()})

    def _say(self, line: Dict[str, Any]) -> None:
        print(json.dumps(line), flush=True)

    def next_tasks(self, step: int, size: int, solve: Solve) -> List[int]:
        start = time.perf_counter()
        self._say({"kind": "ask", "step": step, "size": size})
        tasks: List[int] = json.loads(sys.stdin.readline())
        self.seconds["ask"].append(time.perf_counter() - start)
        if len(tasks) != size:
            raise RuntimeError(f"{len(tasks)} of {size} picks came at step {step}")
        return tasks

    def told(self, step: int, tasks: List[int], rewards: np.ndarray) -> None:
        self._say({"kind": "told", "step": step, "tasks": tasks, "rewards": rewards.tolist()})

    def end(self) -> Dict[str, Any]:
        return {"run": None}


class OracleChooser:
    """Value p (1 - p)^2 of the true p, the same recency, similarity, coverage and caps as a simple field would use.

    A quarter of the slots is uniform in shuffled epochs, as everyone else's (`uniform_share` 0 leaves them out). It does not
    ask the server and reports nothing: nobody outside the model can know p.
    """

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
        uses = np.zeros((len(world.tasks), 64))
        for i, (_, requests) in enumerate(world.tasks):
            for request in requests:
                uses[i, request] += 1
        self._uses = uses / np.linalg.norm(uses, axis=1, keepdims=True)
        self.seconds: Dict[str, List[float]] = {}

    def next_tasks(self, step: int, size: int, solve: Solve) -> List[int]:
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


def chooser_for(arm: str, world: World, address: str, spool: str, steps: int) -> Chooser:
    if arm == "oracle":
        return OracleChooser(world, 0.25)
    if arm == "oracle-no-uniform":
        return OracleChooser(world, 0.0)
    if address == "-":
        return LineChooser(world)
    return ServerChooser(world, arm, address, spool, steps)
