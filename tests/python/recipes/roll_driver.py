"""ROLL: environment managers in threads, after alibaba/ROLL@8eb27cc2 roll/pipeline/agentic/env_manager/traj_env_manager.py.

Facts kept: an environment object a thread, made once with the configuration, the group's seed in place of `seed`; each
episode begins with reset(seed = group seed + episode number), the same for all of a group; steps go on until terminated,
truncated, or the manager's own limit of turns, of which the environment hears nothing.
"""

import threading

from drive import ENVIRONMENTS, GROUP, Book, key, names, recipe, reward_of

book = Book()
tasks = [{"environment": e, "key": t, "payload": {"environment": e, "task": t}} for e, t in names()]
module = recipe("roll", KEY=key())
module.TASKS = type("", (), {"read_text": lambda self: module.json.dumps({"name": "roll", "environments": [{"key": e} for e in ENVIRONMENTS], "tasks": tasks})})()
lock, entries, copies = threading.Lock(), {}, {}


class Inner:
    """Two turns, half of the reward each; the task number 5 of an environment never terminates."""

    def __init__(self, payload):
        self.task, self.turn = payload["task"], 0

    def reset(self, seed=None):
        return f"do {self.task}", {}

    def step(self, action):
        reward = reward_of(self.task, *action) / 2
        self.turn += 1
        return "", reward, self.turn == 2 and not self.task.endswith("-5"), False, {}


module.make_environment = Inner


def manager(group_seed, environment_id, launch, episodes, first):
    env = module.EnvSchedEnv(launch=launch, seed=group_seed, first=first)
    for episode in range(episodes):
        observation, info = env.reset(seed=group_seed + episode)
        version = first + episode
        with lock:
            entry = entries.get((group_seed, version))
            if entry is None:
                entry = entries[group_seed, version] = book.group(env.pick.environment, info["task"], env.pick.lease, version)
                entry["rewards"] = [None] * GROUP
        assert (env.pick.lease, observation) == (entry["lease"], f"do {info['task']}")
        try:
            for _ in range(2):
                _, _, terminated, _, _ = env.step((environment_id, version))
            entry["rewards"][environment_id] = reward_of(info["task"], environment_id, version)
        except ValueError:
            continue
    if env.pick is not None:  # the manager ends here; its last episode was cut short, too
        env.report("truncated")
    env.close()


def trainer(launch, episodes, first):
    module.the_run.cache_clear()
    threads = [threading.Thread(target=manager, args=(seed, copy, launch, episodes, first)) for seed in (100, 200) for copy in range(GROUP)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


trainer("first", 2, 0)
trainer("second", 1, 2)
book.groups.sort(key=lambda group: group["version"])
book.show()
