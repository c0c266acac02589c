"""Who says what to roll out next: the live server, or the process that started this one.

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
from oracle import OracleChooser
from world import World

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


def chooser_for(arm: str, world: World, address: str, spool: str, steps: int) -> Chooser:
    if arm == "oracle":
        return OracleChooser(world, 0.25)
    if arm == "oracle-no-uniform":
        return OracleChooser(world, 0.0)
    if address == "-":
        return LineChooser(world)
    return ServerChooser(world, arm, address, spool, steps)
