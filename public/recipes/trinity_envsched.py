"""Trinity-RFT: a task selector that asks for the next tasks, and an operator that gives it their groups of rewards.

Tested against trinity-rft 0.6.0's real classes: SELECTORS, EXPERIENCE_OPERATORS, BaseSelector, ExperienceOperatorV1, Experience.

    buffer:
      explorer_input:
        # one task set with all environments: more of them share by size
        tasksets:
          - name: mine
            path: tasks.jsonl
            data_selector:
              selector_type: trinity_envsched.EnvSchedSelector
    data_processor:
      experience_pipeline:
        operators:
          # before filters take experiences away
          - name: trinity_envsched.EnvSchedRewards

This file and envsched.py lie in a folder of PYTHONPATH. The selector deals in row numbers, so it keeps the pick of each
row that is out; the operator hands on each run's reward, where Trinity's own gives only means. Runs that never came back
are reported as errors. The explorer keeps the selector's state, and the scheduler's with it: resumed, both go on there.
With `sync_interval` over 1 the explorer asks for that many batches before it hears of the first.
"""

import os
from collections import defaultdict

from trinity.buffer.operators import ExperienceOperatorV1
from trinity.buffer.selector import BaseSelector
from trinity.common.constants import SELECTOR_METRIC

from envsched import Client

URL = os.environ.get("ENVSCHED_URL", "http://127.0.0.1:4310")
TOKEN = os.environ.get("ENVSCHED_TOKEN")
KEY = "trinity-run"  # yours
REPEAT_TIMES = 8  # yours
SYNC_INTERVAL = 1  # yours


def task_of(row: dict) -> dict:
    """A row as a task; environment and key together name it and stay the same from run to run."""
    return {"environment": row["environment"], "key": row["task"], "text": row["question"]}  # yours


class EnvSchedSelector(BaseSelector):
    def __init__(self, data_source, config):
        super().__init__(data_source, config)
        tasks = [task_of(row) for row in data_source.dataset]
        self.row_of = {(task["environment"], task["key"]): row for row, task in enumerate(tasks)}
        environments = [{"key": key} for key in sorted({task["environment"] for task in tasks})]  # yours
        self.run = Client(URL, TOKEN).start_run({"name": KEY, "environments": environments, "tasks": tasks}, KEY, key=KEY)
        self.asked, self.out = 0, {}

    def get_indices(self, batch_size, return_extra_info=False):
        picks = self.run.next_batch(batch_size, REPEAT_TIMES, self.asked // SYNC_INTERVAL).picks
        self.asked += 1
        rows = [self.row_of[pick.environment, pick.task] for pick in picks]
        self.out.update(zip(rows, picks))
        # the explorer needs its full batch: where fewer tasks are free, some are rolled out twice
        return [rows[n % len(rows)] for n in range(batch_size)]

    def feedback(self, indices, values):
        rollouts = []
        for row, runs in zip(indices, values):
            pick = self.out.pop(row, None)
            if pick is None:
                continue
            rollouts += [pick.rollout(reward, policyVersion=pick.policy_version if v is None else v) for reward, v in runs]
            lost = {"status": "infra_error", "error": "no experience came back"}
            rollouts += [pick.rollout(None, **lost) for _ in range(pick.group_size - len(runs))]
        self.run.report(rollouts)

    def state_dict(self):
        return {"asked": self.asked, "scheduler": self.run.state()}

    def load_state_dict(self, state_dict):
        if "scheduler" in state_dict:  # Trinity loads a state of its own making at a first start
            self.asked = state_dict["asked"]
            self.run.restore(state_dict["scheduler"])


class EnvSchedRewards(ExperienceOperatorV1):
    """By task set and row: the reward of each run's last step, and the version of the model that made it."""

    async def process(self, exps):
        runs = defaultdict(dict)
        for exp in sorted(exps, key=lambda exp: exp.eid.step):
            index = exp.info["task_index"]
            version = exp.info.get("model_version")
            runs[index["taskset_id"], index["index"]][exp.eid.task, exp.eid.run] = (exp.reward, version)
        told = defaultdict(lambda: {"indices": [], "values": []})
        for (taskset, row), rewards in runs.items():
            told[taskset]["indices"].append(row)
            told[taskset]["values"].append(list(rewards.values()))
        return exps, {SELECTOR_METRIC: dict(told)}
