"""prime-rl: its curriculum around the recipe's sampler, after PrimeIntellect-ai/prime-rl@0c771bb7c src/prime_rl/orchestrator/curriculum/base.py.

Facts kept: the sampler is made from the tasks alone, by the name that the package exports; `next` gives a task at a time,
several before the first group is back; every finished group has one task key and is observed once, before the gates; the
checkpoint holds the sampler's state.
"""

from types import SimpleNamespace as Record

from prime_rl.orchestrator.curriculum.samplers import StandardSampler

import prime_rl_envsched
from drive import GROUP, Book, key, names, reward_of

prime_rl_envsched.KEY = key()
book = Book()
tasks = [Record(key=task, data=Record(name=environment, prompt=f"do {task}")) for environment, task in names()]


class Curriculum:
    def __init__(self):
        self.sampler = StandardSampler(tasks)

    def on_result(self, group):
        assert len({episode.task.key for episode in group}) == 1
        self.sampler.observe(group)
        metrics = {f"sampler/{name}": float(value) for name, value in self.sampler.metrics().items()}
        assert set(metrics) == {"sampler/tasks_out"}


def episode(task, copy, version):
    judge = Record(agent=Record(trainable=False), has_error=False, reward=9.0)
    made = Record(task=task, ok=True, errors=[], run=Record(work=Record(policy=Record(start=version, end=version + 1))))
    try:
        reward = reward_of(task.key, copy, version)
        made.traces = [judge, Record(agent=Record(trainable=True), has_error=False, reward=reward)]
        return made, reward
    except ValueError as error:
        made.ok, made.errors, made.traces = False, [error], []
        return made, None


def play(curriculum, version):
    """Four tasks in flight at once, finished in another order than they began."""
    asked = [next(curriculum.sampler) for _ in range(4)]
    entries = [book.group(task.data.name, task.key, None, version) for task in asked]
    for task, entry in reversed(list(zip(asked, entries))):
        played = [episode(task, copy, version) for copy in range(GROUP)]
        entry["rewards"] = [reward for _, reward in played]
        curriculum.on_result([made for made, _ in played])


first = Curriculum()
for version in range(3):
    play(first, version)
state = first.sampler.state_dict()
assert state["version"] == 3
book.lost = True
play(first, 3)
book.lost = False
second = Curriculum()
second.sampler.load_state_dict(state)
play(second, 3)
book.show()
