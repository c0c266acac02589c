"""verifiers without a GPU: the recipe's taskset in a real environment, slot by slot, against a scripted model on loopback.

    ENVSCHED_URL=... ENVSCHED_TOKEN=... python verifiers_drive.py FOLDER PICKS

Writes FOLDER/tasks.json and, as verifiers does, FOLDER/traces.jsonl; prints what was asked as one line of JSON.
The model answers right with a chance by environment, and breaks down on every fourth question of `fragile`.
"""

import asyncio
import itertools
import json
import os
import random
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import verifiers.v1 as vf
from verifiers.v1.clients import ModelContext
from verifiers.v1.configs.cli.eval import EvalConfig
from verifiers.v1.runtimes import ProgramResult
from verifiers.v1.utils.loaders import load_environment
from verifiers.v1.utils.trace_store import append_episode

__all__ = ["Direct"]

GROUP = 4
CHANCES = {"easy": 0.9, "even": 0.5, "hard": 0.1, "fragile": 0.5}
draw, fragile = random.Random(3), itertools.count()


class DirectConfig(vf.HarnessConfig):
    pass


class Direct(vf.Harness[DirectConfig]):
    """One chat call in this process: a built-in harness starts a process a rollout."""

    EXECUTES_CODE, NEEDS_CONTAINER = False, False

    async def launch(self, ctx, trace, runtime, endpoint, secret, mcp_urls, data, tool_interception_url=None):
        question = {"model": ctx.model, "messages": [{"role": "user", "content": data.prompt}]}
        headers = {"authorization": f"Bearer {secret}"}
        async with httpx.AsyncClient(timeout=60, trust_env=False) as client:
            answer = await client.post(f"{endpoint.rstrip('/')}/chat/completions", headers=headers, json=question)
        return ProgramResult(exit_code=0 if answer.status_code == 200 else 1, stdout="", stderr=answer.text[:500])


class Model(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        content = body["messages"][-1]["content"]
        question = content if isinstance(content, str) else "".join(part["text"] for part in content)
        environment, number = question.split()
        broken = environment == "fragile" and next(fragile) % 4 == 3
        said = f"answer {number}" if draw.random() < CHANCES[environment] else "no idea"
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 5, "completion_tokens": 2, "total_tokens": 7}
        told = {"id": "c", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice], "usage": usage}
        self.answer(400, {"error": {"message": "out of order"}}) if broken else self.answer(200, told)

    def answer(self, status, told):
        text = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def tasks():
    return [
        {
            "environment": environment,
            "key": f"{environment}-{n}",
            "payload": {"prompt": f"{environment} {n}", "answer": f"answer {n}"},
        }
        for environment in CHANCES
        for n in range(6)
    ]


async def drive(config, folder, picks):
    env = load_environment(config.env)
    context = ModelContext(client=config.client, model=config.model, sampling=config.sampling)
    lock, asked = asyncio.Lock(), []

    async def keep(episode):
        await append_episode(folder, episode, lock)

    async with env.serving():
        stream = iter(env.taskset)
        for _ in range(picks):
            task = next(stream)
            asked.append({"lease": task.data.lease, "key": task.key, "version": task.data.policy_version})
            await asyncio.gather(*(env.run_slot(slot, context, on_complete=keep) for slot in env.slots(task, GROUP)))
    return asked


def main():
    folder, picks = Path(sys.argv[1]), int(sys.argv[2])
    task_set = {"name": "four", "environments": [{"key": key} for key in CHANCES], "tasks": tasks()}
    (folder / "tasks.json").write_text(json.dumps(task_set))
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ["MODEL_KEY"] = "none"
    taskset = {
        "id": "verifiers-envsched",
        "task": {"task_set": str(folder / "tasks.json"), "run": "verifiers"},
        "group_size": GROUP,
        "picks_a_step": 4,
    }
    agent = {"harness": {"id": "verifiers-drive"}, "runtime": {"type": "subprocess"}}
    client = {"base_url": f"http://127.0.0.1:{server.server_port}/v1", "api_key_var": "MODEL_KEY"}
    config = {"env": {"taskset": taskset, "agent": agent}, "model": "scripted", "client": client, "push": False}
    asked = asyncio.run(drive(EvalConfig.model_validate(config), folder, picks))
    from verifiers_envsched import run_of

    run = run_of(folder / "tasks.json", "verifiers")
    run.finish()
    print(json.dumps({"run": run.id, "asked": asked}))


if __name__ == "__main__":
    main()
