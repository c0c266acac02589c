"""openrlhf 0.11.2: the real prompt dataset and agent classes around the recipe; the engine and its tokenizer are doubles."""

import asyncio
import json
import subprocess
import sys
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "recipes"))
from drive import ENVIRONMENTS, GROUP, RECIPES, Book, names, recipe, reward_of  # noqa: E402

import torch  # noqa: E402
from openrlhf.datasets import PromptDataset  # noqa: E402
from openrlhf.utils.agent import AgentExecutorBase, AgentInstanceBase  # noqa: E402
from torch.utils.data import DataLoader  # noqa: E402

SIZE = 4
book, entries, copies = Book(), {}, {}
subprocess.run([sys.executable, str(RECIPES / "openrlhf_envsched.py"), "placeholders.jsonl", "24"], check=True)
tasks = [{"environment": e, "key": t, "payload": {"prompt": f"do {t}", "answer": t}} for e, t in names()]
Path("tasks.json").write_text(json.dumps({"name": "openrlhf", "environments": [{"key": e} for e in ENVIRONMENTS], "tasks": tasks}))
module = recipe("openrlhf", TASKS=Path("tasks.json"), SAMPLES_PER_PROMPT=GROUP, ROLLOUT_BATCH_SIZE=SIZE)


class Agent(AgentInstanceBase):
    """Two steps, half of the reward each. What it is asked is the label: the task and who plays it come from there."""

    def __init__(self, *args, **kwargs):
        self.turn = 0

    async def step(self, states, **kwargs):
        self.turn += 1
        task = states["label"]
        assert states["observation_text"].startswith(f"<user>do {task}")
        copy, version = json.loads(states["action_text"])
        return {"rewards": torch.tensor(reward_of(task, copy, version) / 2), "environment_feedback": ".", "done": self.turn == 2}


module.AgentInstance = Agent


class Tokenizer:
    def __call__(self, text, **_):
        return {"input_ids": torch.tensor([[ord(letter) for letter in text]])}

    def apply_chat_template(self, chat, tokenize, add_generation_prompt):
        assert tokenize is False and add_generation_prompt is True
        return f"<user>{chat[0]['content']}<assistant>"

    def decode(self, tokens, **_):
        return "".join(map(chr, tokens))


class Engine:
    """RolloutRayActor without vLLM: each prompt is executed by all its samples at once."""

    def __init__(self):
        self.executor, self.version = module.AgentExecutor(), 0
        assert isinstance(self.executor, AgentExecutorBase)

    async def generate(self, tokens, sampling_params, multi_modal_data=None):
        text = "".join(map(chr, tokens))
        task = text.partition("do ")[2].partition("<")[0]
        key = asyncio.current_task()
        if key not in copies:
            copies[key] = sum(1 for other in copies.values() if other[0] == task and other[2] == self.version)
            copies[key] = (task, copies[key], self.version)
        answer = json.dumps(copies[key][1:])
        out = SimpleNamespace(token_ids=[ord(letter) for letter in answer], text=answer, finish_reason="stop", logprobs=None)
        return SimpleNamespace(outputs=[out])

    async def generate_responses(self, prompt, label):
        sampling = [SimpleNamespace(max_tokens=64, logprobs=None) for _ in range(GROUP)]
        rest = {"max_length": 4096, "hf_tokenizer": Tokenizer(), "llm_engine": self}
        played = [self.executor.execute(prompt=prompt, label=label, sampling_params=params, images=None, **rest) for params in sampling]
        return await asyncio.gather(*(asyncio.create_task(one) for one in played), return_exceptions=True)


data = SimpleNamespace(input_key="input", label_key="label", apply_chat_template=False)
strategy = SimpleNamespace(args=SimpleNamespace(data=data), is_rank_0=lambda: False)
rows = [json.loads(line) for line in Path("placeholders.jsonl").read_text().splitlines()]
dataset = PromptDataset(rows, Tokenizer(), strategy)
loader = iter(DataLoader(dataset, batch_size=1, shuffle=True, collate_fn=dataset.collate_fn))


async def step(engine, version):
    engine.version = version
    wanted = [(prompts[0], labels[0]) for _, prompts, labels, _ in islice(loader, SIZE)]
    # one after another, so that the order in which they asked is known
    for prompt, label in wanted:
        asked = dict(engine.executor.open)
        answers = await engine.generate_responses(prompt, label)
        assert engine.executor.open == asked
        good = [answer for answer in answers if not isinstance(answer, Exception)]
        assert all((answer["prompt"], answer["label"]) == (prompt, label) for answer in good)
        task = Tokenizer().decode(good[0]["observation_tokens"]).partition("do ")[2].partition("<")[0]
        environment = next(name for name, known in names() if known == task)
        entry = book.group(environment, task, None, version)
        entry["rewards"] = [None if isinstance(answer, Exception) else answer["reward"] for answer in answers]


async def main():
    engine = Engine()
    await step(engine, 0)
    await step(engine, 1)
    # of an evaluation: played as it comes, not reported
    evaluated = await engine.executor.execute("<user>do airline-1<assistant>", "airline-1", SimpleNamespace(max_tokens=64, logprobs=None), 4096, Tokenizer(), engine)
    book.more["evaluated"] = evaluated["reward"]
    again = Engine()
    again.executor.version = engine.executor.version
    await step(again, 2)


asyncio.run(main())
book.show()
