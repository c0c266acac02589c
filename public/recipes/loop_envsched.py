"""A plain training loop with EnvSched: a toy policy in a few lines, to copy and fill with a real one.

    python3 loop_envsched.py --url http://127.0.0.1:4310 --token TOKEN --steps 20

The policy has one skill a tool. A task asks for some tools in turn; a rollout succeeds with the product of their skills.
Groups with mixed rewards teach it, groups that all succeed or all fail teach it nothing: as with GRPO.
Lines that end with "# yours" are those to adapt.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
from pathlib import Path
from typing import Dict, List

# envsched.py lies beside this file or in the folder above it
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent)]

from envsched import Client, Pick  # noqa: E402

SHOPS = {
    "bakery": ["find_order", "read_recipe", "bake", "send_message"],
    "library": ["search_books", "lend_book", "remind", "send_message"],
    "garage": ["read_manual", "find_part", "mount_part", "test_drive"],
}


def make_task_set(seed: int) -> dict:
    """Three environments, sixty tasks: each asks for one to three of its environment's tools."""
    draw = random.Random(seed)
    tasks = []
    for shop, tools in SHOPS.items():
        for number in range(20):
            needed = draw.sample(tools, draw.randint(1, 3))
            tasks.append(
                {
                    "environment": shop,
                    "key": f"{shop}-{number}",
                    "text": "Do in turn: " + ", ".join(needed),
                    "tools": needed,
                    "payload": {"tools": needed},
                }
            )
    environments = [{"key": shop, "tools": [{"name": tool} for tool in tools]} for shop, tools in SHOPS.items()]
    return {"name": "three shops", "environments": environments, "tasks": tasks}


class Policy:
    """Skill a tool, on the logit scale; `learn` moves it where a group's rewards differ."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.skill: Dict[str, float] = {tool: self.draw.uniform(-2.0, 1.0) for shop in SHOPS.values() for tool in shop}

    def chance(self, tools: List[str]) -> float:
        return math.prod(1 / (1 + math.exp(-self.skill[tool])) for tool in tools)

    def play(self, pick: Pick) -> float:
        return 1.0 if self.draw.random() < self.chance(pick.payload["tools"]) else 0.0

    def learn(self, pick: Pick, rewards: List[float]) -> None:
        mean = sum(rewards) / len(rewards)
        for tool in pick.payload["tools"]:
            self.skill[tool] += 0.8 * mean * (1 - mean)


def main() -> None:
    parser = argparse.ArgumentParser(description="A plain training loop that asks EnvSched what to roll out next.")
    url = os.environ.get("ENVSCHED_URL", "http://127.0.0.1:4310")
    token = os.environ.get("ENVSCHED_TOKEN")
    parser.add_argument("--url", default=url, help="address of the server; may hold the token (default: ENVSCHED_URL)")
    parser.add_argument("--token", default=token, help="token with the scope report (default: ENVSCHED_TOKEN)")
    parser.add_argument("--steps", type=int, default=20, help="training steps (default 20)")
    parser.add_argument("--size", type=int, default=8, help="picks a batch (default 8)")
    parser.add_argument("--group-size", type=int, default=8, help="rollouts a pick (default 8)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--key", help="the same key and seed go on with the same run")
    args = parser.parse_args()

    client = Client(args.url, args.token)
    tasks = client.register_tasks(make_task_set(args.seed))  # yours
    run = client.start_run(tasks, "plain loop", key=args.key, seed=args.seed, planned_steps=args.steps)  # yours
    policy = Policy(args.seed)  # yours

    for step in range(args.steps):
        batch = run.next_batch(size=args.size, group_size=args.group_size, policy_version=step)
        rollouts, mixed, total = [], 0, 0.0
        for pick in batch:
            rewards = [policy.play(pick) for _ in range(pick.group_size)]  # yours
            policy.learn(pick, rewards)  # yours
            mixed += min(rewards) < max(rewards)
            total += sum(rewards)
            rollouts += [
                pick.rollout(reward=reward, turns=len(pick.payload["tools"]), tools=pick.payload["tools"])
                for reward in rewards
            ]
        answer = run.report(rollouts)
        print(
            f"step {step}: {len(batch)} picks by {batch.fallback['rung']}, reward {total / len(rollouts):.2f}, "
            f"{mixed} informative groups, {answer['accepted']} accepted, {answer['spooled']} kept for later",
            flush=True,
        )
    run.finish()


if __name__ == "__main__":
    main()
