"""OpenRLHF: an agent executor that asks for a task at each placeholder prompt, plays it and reports its reward.

Tested against openrlhf 0.11.2's real classes: PromptDataset, MultiTurnAgentExecutor, AgentInstanceBase; the engine is a double.

    # once; a line a group: steps times rollout_batch_size
    python openrlhf_envsched.py placeholders.jsonl 6400
    # without a chat template, which the executor applies
    --data.prompt_dataset placeholders.jsonl
    --data.input_key input
    --data.label_key label
    --train.agent_func_path openrlhf_envsched.py

OpenRLHF's own dataset is shuffled and its loader cannot be replaced, so it hands out placeholders. Each engine executes a
prompt n_samples_per_prompt times: the first of them asks, the others play the same pick. Prompts that are no
placeholders, those of an evaluation, are played as they come and not reported. After a restart the run of the same KEY
goes on; placeholders have no order, so nothing is skipped or asked for twice. envsched.py lies beside this file.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

from openrlhf.utils.agent import AgentInstanceBase, MultiTurnAgentExecutor

sys.path.append(str(Path(__file__).resolve().parent))
from envsched import Client  # noqa: E402

URL = os.environ.get("ENVSCHED_URL", "http://127.0.0.1:4310")
TOKEN = os.environ.get("ENVSCHED_TOKEN")
KEY = "openrlhf-run"  # yours
SAMPLES_PER_PROMPT = 8  # yours
ROLLOUT_BATCH_SIZE = 128  # yours
PLACEHOLDER = "envsched-"
TASKS = Path(__file__).with_name("tasks.json")  # yours


class AgentInstance(AgentInstanceBase):  # yours
    def __init__(self, *args, **kwargs):
        pass

    async def step(self, states, **kwargs):
        raise NotImplementedError("your environment: see OpenRLHF's examples of agents")


class AgentExecutor(MultiTurnAgentExecutor):
    def __init__(self):
        super().__init__(AgentInstance)
        self.run = Client(URL, TOKEN).start_run(json.loads(TASKS.read_text()), KEY, key=KEY)
        self.open, self.version = {}, 0

    async def execute(self, prompt, label, sampling_params, max_length, hf_tokenizer, llm_engine, images=None):
        rest = (sampling_params, max_length, hf_tokenizer, llm_engine, images)
        if not str(label).startswith(PLACEHOLDER):
            return await super().execute(prompt, label, *rest)
        pick = await self.pick_for(label)
        chat = [{"role": "user", "content": pick.payload["prompt"]}]  # yours
        text = hf_tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
        try:
            output = await super().execute(text, pick.payload["answer"], *rest)  # yours
        except Exception as error:
            await self.tell(pick.rollout(None, status="infra_error", error=repr(error)))
            raise
        status = "truncated" if output["truncated"] else "ok"
        await self.tell(pick.rollout(output["reward"], status=status, turns=len(output["action_ranges"])))
        return {**output, "prompt": prompt, "label": label}

    async def pick_for(self, label):
        """The pick of a placeholder: one request for all its samples, which the engine starts together."""
        asked, left = self.open.pop(label, (None, SAMPLES_PER_PROMPT))
        if asked is None:
            asked = asyncio.ensure_future(asyncio.to_thread(self.ask))
        if left > 1:
            self.open[label] = (asked, left - 1)
        return await asked

    def ask(self):
        # engines learn of no step: one is over when a batch's worth of groups was given out, to all engines together
        batch = self.run.next_batch(1, SAMPLES_PER_PROMPT, self.version)
        if batch.index is not None:
            self.version = max(self.version, batch.index // ROLLOUT_BATCH_SIZE)  # batches count from 1
        return batch.picks[0]

    async def tell(self, rollout):
        await asyncio.to_thread(self.run.report, [rollout])


if __name__ == "__main__":
    with open(sys.argv[1], "w") as file:
        file.writelines(json.dumps({"input": "-", "label": f"{PLACEHOLDER}{n}"}) + "\n" for n in range(int(sys.argv[2])))
