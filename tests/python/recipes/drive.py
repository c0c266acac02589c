"""What every driver of a recipe needs: invented tasks, a policy that needs no model, and a book of what the trainer saw.

A driver stands in for the trainer: it calls the recipe's hook as the trainer does and notes each group that it was given.
The last line that it prints is the book, which the test holds against what the server keeps.
"""

import importlib.util
import json
import os
import sys
from pathlib import Path
from zlib import crc32

GROUP = 8
RECIPES = Path(__file__).resolve().parents[3] / "public" / "recipes"
ENVIRONMENTS = ("airline", "retail/web")


def names():
    """Twelve tasks an environment; the second environment's name needs quoting in an address."""
    return [(environment, f"{environment.split('/')[0]}-{number}") for environment in ENVIRONMENTS for number in range(12)]


def recipe(name: str, **settings):
    """The recipe as a module, with what its reader would have changed."""
    file = RECIPES / f"{name}_envsched.py"
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    for setting, value in settings.items():
        assert hasattr(module, setting), f"{file.name} has no {setting}"
        setattr(module, setting, value)
    return module


def key() -> str:
    """Of the run; the test gives it."""
    return os.environ["RECIPE_KEY"]


def reward_of(task: str, copy: int, version: int) -> float:
    """0 or 1, the same at each call. The verifier breaks on the second rollout of every other task."""
    if int(task.rpartition("-")[2]) % 2 == 0 and copy == 1:
        raise ValueError("the verifier broke")
    return float(crc32(f"{task} {copy} {version}".encode()) % 3 == 0)


class Book:
    """Groups in the order in which the trainer got them, and their rewards as it computed them; None for an error."""

    def __init__(self):
        self.groups = []
        self.more = {}
        #: what is played now comes after the checkpoint that training will go back to
        self.lost = False

    def group(self, environment, task, lease, version):
        entry = {"environment": environment, "task": task, "lease": lease, "version": version, "versions": [], "rewards": [], "lost": self.lost}
        self.groups.append(entry)
        return entry

    def played(self, environment, task, lease, version, size=GROUP):
        """Plays a whole group and gives its rewards."""
        entry = self.group(environment, task, lease, version)
        for copy in range(size):
            try:
                entry["rewards"].append(reward_of(task, copy, version))
            except ValueError:
                entry["rewards"].append(None)
        return entry["rewards"]

    def show(self):
        print(json.dumps({"groups": self.groups, **self.more}))
