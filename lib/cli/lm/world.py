"""The world that the tiny language model learns in: skills, environments, tasks, and how well its teachers knew them.

Owns: 13 skills at 2, 4 and 6 calls are 39 environments of 25 training and 10 held-out tasks; a 40th is broken (it never
pays) and one has a verifier that is wrong in 15 % of cases. A task asks for a sequence of requests; each skill answers a
request by a call of its own: the first nine skills mostly agree on the calls, the last four do not.
Must never know: torch, the server, what is chosen. Invariant: the same number gives the same world.
"""

import math
import random
from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

import numpy as np

SKILLS, SHARING_SKILLS, REQUESTS_A_SKILL, SHARED = 13, 9, 10, 0.75
LENGTHS = (2, 4, 6, 4)
TRAINING_TASKS, HELD_OUT_TASKS = 25, 10
FLIPPED = 0.15
REQUESTS = (
    "alfa bravo charlie delta foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra "
    "tango victor whiskey xray yankee zulu"
).split()
# teachers' skill on the logit scale: half of the skills start nearly dead, two solved
TEACHING = (-3.2, -2.6, -2.0, -1.3, -0.6, 0.0, 0.5, 1.0, 1.6, 2.4, 3.4, 5.0, 6.5)

# tokens: padding, the prompt's end, the answer's end, skills, lengths, requests, calls
PAD, GO, END = 0, 1, 2
SKILL_TOKEN = 3
LENGTH_TOKEN = SKILL_TOKEN + SKILLS
REQUEST_TOKEN = LENGTH_TOKEN + len(LENGTHS)
CALL_TOKEN = REQUEST_TOKEN + len(REQUESTS)
VOCABULARY = CALL_TOKEN + len(REQUESTS)
PROMPT, ANSWER = 9, 7  # tokens; both are filled up with padding

Task = Tuple[int, Tuple[int, ...]]  # environment, requests


@dataclass(frozen=True)
class Encoded:
    """Tasks as tokens: prompts [n, 9], right answers [n, 7], environments [n]."""

    prompts: np.ndarray
    answers: np.ndarray
    environments: np.ndarray


class World:
    """environments: (skill, length class). calls[skill][request], teaching[skill][request] in 0 to 1."""

    def __init__(self, number: int) -> None:
        draw = random.Random(1000 + number)
        n = len(REQUESTS)
        common = draw.sample(range(n), n)
        skill_level = draw.sample(TEACHING, SKILLS)
        request_level = [draw.gauss(0, 1) for _ in range(n)]
        self.number = number
        self.requests: List[List[int]] = []
        self.calls: List[Dict[int, int]] = []
        self.teaching: List[Dict[int, float]] = []
        for skill in range(SKILLS):
            own = draw.sample(range(n), REQUESTS_A_SKILL)
            share = SHARED if skill < SHARING_SKILLS else 0.0
            self.requests.append(own)
            self.calls.append({r: common[r] if draw.random() < share else draw.randrange(n) for r in own})
            logits = {r: skill_level[skill] + request_level[r] + 0.7 * draw.gauss(0, 1) for r in own}
            self.teaching.append({r: 1 / (1 + math.exp(-x)) for r, x in logits.items()})
        middling = sorted(range(SKILLS), key=lambda skill: skill_level[skill])
        self.environments = [(skill, length) for skill in range(SKILLS) for length in range(3)] + [(middling[7], 3)]
        self.broken = len(self.environments) - 1
        self.flipping = middling[6] * 3 + 1
        self.tasks, self.held_out = self._draw_tasks(draw)
        self.training = self.encode(self.tasks)
        self.test = self.encode(self.held_out)

    def _draw_tasks(self, draw: random.Random) -> Tuple[List[Task], List[Task]]:
        tasks: List[Task] = []
        held_out: List[Task] = []
        for environment, (skill, length) in enumerate(self.environments):
            found: set = set()
            while len(found) < TRAINING_TASKS + HELD_OUT_TASKS:
                found.add(tuple(draw.choice(self.requests[skill]) for _ in range(LENGTHS[length])))
            order = sorted(found)
            draw.shuffle(order)
            tasks += [(environment, requests) for requests in order[:TRAINING_TASKS]]
            if environment != self.broken:
                held_out += [(environment, requests) for requests in order[TRAINING_TASKS:]]
        return tasks, held_out

    def encode(self, tasks: List[Task]) -> Encoded:
        prompts = np.full((len(tasks), PROMPT), PAD, dtype=np.int64)
        answers = np.full((len(tasks), ANSWER), PAD, dtype=np.int64)
        for row, (environment, requests) in enumerate(tasks):
            skill, length = self.environments[environment]
            n = len(requests)
            prompts[row, :2] = SKILL_TOKEN + skill, LENGTH_TOKEN + length
            prompts[row, 2 : 2 + n] = [REQUEST_TOKEN + r for r in requests]
            prompts[row, -1] = GO
            answers[row, :n] = [CALL_TOKEN + self.calls[skill][r] for r in requests]
            answers[row, n] = END
        return Encoded(prompts, answers, np.array([environment for environment, _ in tasks]))

    def environment_key(self, environment: int) -> str:
        skill, length = self.environments[environment]
        return f"skill-{skill + 1:02d}-length-{LENGTHS[length]}" + ("-again" if environment == self.broken else "")

    def task_key(self, task: Task) -> str:
        return "-".join(REQUESTS[r] for r in task[1])

    def task_set(self) -> Dict[str, Any]:
        """What a trainer knows and registers: requests as tools, their number as horizon; no role, since they have none."""
        environments = [
            {
                "key": self.environment_key(e),
                "tools": [{"name": REQUESTS[r], "role": "other"} for r in sorted(self.requests[skill])],
                "verifier": {"kind": "exact"},
                "rewardRange": [0, 1],
                "horizon": LENGTHS[length],
            }
            for e, (skill, length) in enumerate(self.environments)
        ]
        tasks = [
            {
                "environment": self.environment_key(task[0]),
                "key": self.task_key(task),
                "tools": [REQUESTS[r] for r in task[1]],
            }
            for task in self.tasks
        ]
        return {"name": f"language model, world {self.number}", "environments": environments, "tasks": tasks}
