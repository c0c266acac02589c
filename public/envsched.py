"""EnvSched's client for trainers: one file, Python 3.9 or newer, standard library only.

    from envsched import Client

    client = Client("http://127.0.0.1:4310/?token=...")            # the address that the server printed
    tasks = client.register_tasks({"name": "my tasks", "environments": [...], "tasks": [...]})
    run = client.start_run(tasks, "first run", key="first-run")     # the same key goes on with the same run
    for step in range(100):
        batch = run.next_batch(size=32, group_size=8, policy_version=step)
        rollouts = [pick.rollout(reward=play(pick.payload)) for pick in batch for _ in range(pick.group_size)]
        run.report(rollouts)
        train_on(rollouts)

A training run never stops because of the scheduler. Calls are tried again with growing pauses. While the server cannot
be reached, batches are drawn uniformly from the registered tasks (`batch.fallback["rung"] == "offline"`) and reports are
kept in a folder on disk; they are sent when it answers again, also by a later process with the same key. When a person
deletes the run on the server, batches are drawn in the same way and reports are kept nowhere. A reward that is NaN or
infinite is sent as null: it is kept as an untrusted rollout and never counts as 0.
"""

from __future__ import annotations

import atexit
import gzip
import http.client
import json
import logging
import math
import os
import random
import re
import socket
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Tuple, Union

__all__ = ["Batch", "Client", "EnvSchedError", "Pick", "Run", "TaskSet", "Unreachable"]

__version__ = "0.1.0"

log = logging.getLogger("envsched")

GZIP_FROM_BYTES = 16_384
ROLLOUTS_A_CALL = 500
PAUSED_SECONDS = 2.0
RETRIED_STATUSES = frozenset({429, 500, 502, 503, 504})
CAMEL = {
    "group_size": "groupSize",
    "policy_version": "policyVersion",
    "reward_components": "rewardComponents",
    "planned_steps": "plannedSteps",
}


class EnvSchedError(Exception):
    """The server refused a call. `status`, `code` and `issues` are the answer's; the message is its sentence."""

    def __init__(self, status: int, code: str, message: str, issues: Optional[List[Dict[str, str]]] = None) -> None:
        details = "; ".join(f"{issue.get('path', '')}: {issue.get('message', '')}" for issue in issues or [])
        super().__init__(f"{message} ({details})" if details else message)
        self.status = status
        self.code = code
        self.issues = issues or []


class Unreachable(Exception):
    """The server did not answer after all tries. `Run` handles it; only calls without a fallback raise it."""


@dataclass(frozen=True)
class _Outage:
    why: str
    wait: float
    next_probe: float


@dataclass(frozen=True)
class TaskSet:
    """A registered task set. `id` is None while the server could not be reached yet."""

    id: Optional[str]
    content: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def tasks(self) -> List[Mapping[str, Any]]:
        """The tasks as they were registered; empty when only the id is known."""
        return list(self.content.get("tasks", []))


@dataclass(frozen=True)
class Pick:
    """One chosen task. `lease` is None when it was drawn offline; its rollouts are then matched by environment and task."""

    environment: str
    task: str
    group_size: int
    policy_version: int
    lease: Optional[str] = None
    id: Optional[str] = None
    slot: str = "uniform"
    payload: Any = None
    reason: str = ""

    def rollout(self, reward: Any, **more: Any) -> Dict[str, Any]:
        """A rollout of this pick, ready for `Run.report`. `more` takes the fields of the API (turns, tokens, tools, ...)."""
        row: Dict[str, Any] = {
            "id": uuid.uuid4().hex,
            "environment": self.environment,
            "task": self.task,
            "policyVersion": self.policy_version,
            "reward": reward,
        }
        if self.lease is not None:
            row["lease"] = self.lease
        row.update(more)
        return row


@dataclass(frozen=True)
class Batch:
    """What one request gave. Iterates over its picks. `fallback["rung"]` says how it was chosen."""

    batch: Optional[str]
    index: Optional[int]
    picks: List[Pick]
    fallback: Dict[str, Optional[str]]
    notes: List[str] = field(default_factory=list)

    @property
    def offline(self) -> bool:
        """True when it was drawn here, uniformly, because the server could not be reached."""
        return self.fallback.get("rung") == "offline"

    def __iter__(self) -> Iterator[Pick]:
        return iter(self.picks)

    def __len__(self) -> int:
        return len(self.picks)


class Client:
    """Speaks to one server. `url` may be the printed address with its token; else give `token`, or set ENVSCHED_TOKEN.

    `timeout` is in seconds for one try, `retries` counts tries after the first, `spool` is the folder for reports that
    could not be sent. While the server is away it is asked again after `probe_seconds`, then less and less often (every
    10 s at the latest), so that a trainer does not wait for it at each step.
    """

    def __init__(
        self,
        url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        timeout: float = 60.0,
        retries: int = 4,
        spool: Union[str, Path] = "envsched-spool",
        probe_seconds: float = 2.0,
    ) -> None:
        address = url or os.environ.get("ENVSCHED_URL") or "http://127.0.0.1:4310"
        parts = urllib.parse.urlsplit(address)
        inside = urllib.parse.parse_qs(parts.query).get("token", [None])[0]
        self.url = urllib.parse.urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))
        self._token = token or inside or os.environ.get("ENVSCHED_TOKEN")
        self.timeout = timeout
        self.retries = retries
        self.spool = Path(spool)
        self._probe_seconds = probe_seconds
        self._outage: Optional[_Outage] = None

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    def register_tasks(self, task_set: Mapping[str, Any]) -> TaskSet:
        """Registers environments and tasks; the same content gives the same set. Offline it is registered later."""
        try:
            answer = self.call("POST", "/task-sets", task_set)
        except Unreachable:
            return TaskSet(None, task_set)
        return TaskSet(str(answer["id"]), task_set)

    def start_run(
        self,
        task_set: Union[TaskSet, Mapping[str, Any], str],
        name: str,
        key: Optional[str] = None,
        seed: Union[int, str, None] = None,
        config: Optional[Mapping[str, Any]] = None,
        **more: Any,
    ) -> "Run":
        """Starts a run, or goes on with the one of the same `key` and task set.

        `task_set` is what `register_tasks` gave, a task set to register, or an id. `config` and `more` take the fields of
        the API (`mode`, `planned_steps`, `model`, `algorithm`).
        """
        if isinstance(task_set, str):
            task_set = TaskSet(task_set)
        elif not isinstance(task_set, TaskSet):
            task_set = self.register_tasks(task_set)
        # a key of its own makes a repeated start harmless
        body: Dict[str, Any] = {"name": name, "key": key or f"{name[:160]}-{uuid.uuid4().hex}"}
        if seed is not None:
            body["seed"] = seed
        if config is not None:
            body["config"] = config
        body.update({CAMEL.get(name_, name_): value for name_, value in more.items()})
        run = Run(self, task_set, body)
        run.attach()
        return run

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """One call of the API, tried again with growing pauses. Raises EnvSchedError, or Unreachable after the last try."""
        outage = self._outage
        if outage is not None and time.monotonic() < outage.next_probe:
            raise Unreachable(outage.why)
        data, headers = self._encode(body)
        left = self.retries + 1 if outage is None else 1
        timeout = self.timeout if outage is None else min(self.timeout, 5.0)
        pause = 0.25
        while True:
            left -= 1
            request = urllib.request.Request(f"{self.url}/api/v1{path}", data=data, headers=headers, method=method)
            wait: Optional[float] = None
            try:
                with urllib.request.urlopen(request, timeout=timeout) as answer:
                    text = answer.read()
                    value = json.loads(text) if text else None
                self._reached()
                return value
            except urllib.error.HTTPError as refusal:
                with refusal:
                    error = _refusal(refusal)
                if refusal.code not in RETRIED_STATUSES:
                    self._reached()
                    raise error from None
                cause: Exception = error
                wait = _seconds(refusal.headers.get("Retry-After"))
            except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as failure:
                cause = failure
            if left <= 0:
                raise self._lost(cause) from cause
            time.sleep(pause * (0.75 + random.random() / 2) if wait is None else min(wait, 30.0))
            pause = min(pause * 2, 8.0)

    def _reached(self) -> None:
        if self._outage is not None:
            log.warning("%s answers again.", self.url)
        self._outage = None

    def _lost(self, cause: Exception) -> Unreachable:
        why = f"{self.url} cannot be reached: {getattr(cause, 'reason', cause)}"
        if self._outage is None:
            log.warning("%s. Training goes on: batches are drawn uniformly, reports are kept on disk.", why)
            wait = self._probe_seconds
        else:
            wait = min(self._outage.wait * 2, max(10.0, self._probe_seconds))
        self._outage = _Outage(why, wait, time.monotonic() + wait)
        return Unreachable(why)

    def _encode(self, body: Any) -> Tuple[Optional[bytes], Dict[str, str]]:
        headers = {"accept": "application/json", "user-agent": f"envsched.py/{__version__}"}
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        if body is None:
            return None, headers
        headers["content-type"] = "application/json"
        data = json.dumps(_finite(body), separators=(",", ":"), default=_plain).encode()
        if len(data) >= GZIP_FROM_BYTES:
            data = gzip.compress(data, 5)
            headers["content-encoding"] = "gzip"
        return data, headers


class Run:
    """One training run. Made by `Client.start_run`; may be used by several threads."""

    def __init__(self, client: Client, task_set: TaskSet, body: Dict[str, Any]) -> None:
        self.client = client
        self.task_set = task_set
        self.key = str(body["key"])
        self.id: Optional[str] = None
        self._body = body
        self._lock = threading.RLock()
        self._unique = uuid.uuid4().hex[:12]
        self._asked = 0
        self._gone: Optional[str] = None
        self._spool = _Spool(client.spool, client.url, self.key)
        self._draw = _UniformDraw(task_set.tasks, f"{body.get('seed', '')}/{self.key}")

    def attach(self) -> bool:
        """Makes sure that the server knows the run. False while it cannot be reached."""
        with self._lock:
            if self.id is not None:
                return True
            try:
                if self.task_set.id is None:
                    answer = self.client.call("POST", "/task-sets", self.task_set.content)
                    self.task_set = TaskSet(str(answer["id"]), self.task_set.content)
                run = self.client.call("POST", "/runs", {**self._body, "taskSet": self.task_set.id})
            except Unreachable:
                return False
            self.id = str(run["id"])
            return True

    def next_batch(
        self, size: int, group_size: int, policy_version: int, request_id: Optional[str] = None
    ) -> Batch:
        """The tasks to roll out next. The same `request_id` gives the same batch; by default each call has its own.

        Never raises because the server is away, or because a person deleted the run there: the batch is then drawn
        uniformly and says so in `fallback`. While a person has paused the run, this waits.
        """
        if self._gone is not None:
            return self._offline(size, group_size, policy_version, self._gone)
        self.send_spooled()
        with self._lock:
            self._asked += 1
            # the process id keeps forked loader workers from asking with one id
            request_id = request_id or f"{self._unique}-{os.getpid()}-{self._asked}"
        body = {
            "requestId": request_id,
            "size": size,
            "groupSize": group_size,
            "policyVersion": policy_version,
        }
        try:
            if not self.attach():
                raise Unreachable(f"{self.client.url} could not be reached to start the run")
            answer = self._ask(body)
        except Unreachable as cause:
            return self._offline(size, group_size, policy_version, str(cause))
        except EnvSchedError as refusal:
            return self._offline(size, group_size, policy_version, self._deleted(refusal))
        picks = [
            Pick(
                environment=row["environment"],
                task=row["task"],
                group_size=row["groupSize"],
                policy_version=policy_version,
                lease=row["lease"],
                id=row.get("id"),
                slot=row.get("slot", "score"),
                payload=row.get("payload"),
                reason=row.get("reason", ""),
            )
            for row in answer["picks"]
        ]
        self._draw.learn(picks)
        if len(picks) < size:
            why = " ".join(answer.get("notes", [])) or "fewer tasks are free"
            log.warning("Batch %s has %d of %d picks: %s", answer["index"], len(picks), size, why)
        return Batch(answer["batch"], answer["index"], picks, answer["fallback"], answer.get("notes", []))

    def report(self, rollouts: Iterable[Mapping[str, Any]]) -> Dict[str, Any]:
        """Sends rollouts; gives `{accepted, duplicates, untrusted, rejected, spooled}`. May be called with parts of groups.

        What cannot be sent now is kept on disk (`spooled` counts it) and sent later under the same ids.
        """
        rows = [_rollout(row) for row in rollouts]
        _tell_shared_ids(rows)
        total: Dict[str, Any] = {"accepted": 0, "duplicates": 0, "untrusted": {}, "rejected": [], "spooled": 0}
        self.send_spooled()
        for start in range(0, len(rows), ROLLOUTS_A_CALL):
            part = rows[start : start + ROLLOUTS_A_CALL]
            try:
                if self._spool.waiting() or not self.attach():
                    raise Unreachable("earlier reports are still waiting")
                answer = self._send(part)
                for refused in answer.get("rejected", [])[:1]:
                    log.error("%d rollouts were refused, the first: %s", len(answer["rejected"]), refused["reason"])
                _add(total, answer, start)
            except Unreachable:
                self._spool.keep(part)
                total["spooled"] += len(part)
            except EnvSchedError as refusal:
                why = self._deleted(refusal)
                total["rejected"] += [
                    {"index": start + i, "id": row.get("id"), "reason": why} for i, row in enumerate(part)
                ]
        return total

    def send_spooled(self) -> int:
        """Sends what is kept on disk for this run, oldest first; gives how many rollouts went.

        What the server refuses as a whole is set aside in the folder (`.refused`) and told in the log.
        """
        sent = 0
        with self._lock:
            for path, rows in self._spool.files():
                try:
                    if not self.attach():
                        break
                    for start in range(0, len(rows), ROLLOUTS_A_CALL):
                        self._send(rows[start : start + ROLLOUTS_A_CALL])
                except Unreachable:
                    break
                except EnvSchedError as refusal:
                    if refusal.status in (401, 403):
                        raise
                    log.error("Reports that were kept on disk were refused and set aside in %s: %s", path, refusal)
                    self._spool.set_aside(path)
                    continue
                self._spool.forget(path)
                sent += len(rows)
        return sent

    def release(self, lease: str) -> None:
        """Gives a pick back that will not be rolled out. Without the server its lease expires by itself."""
        if self.id is None:
            return
        try:
            self.client.call("POST", f"/runs/{self.id}/leases/{urllib.parse.quote(lease, safe='')}/release")
        except Unreachable as cause:
            log.warning("A lease was not given back and expires by itself: %s", cause)
        except EnvSchedError as refusal:
            self._deleted(refusal)

    def state(self) -> Dict[str, Any]:
        """The run as the server sees it: status, batch, informative share, reward and more. Raises Unreachable."""
        if not self.attach():
            raise Unreachable(f"{self.client.url} cannot be reached")
        return self.client.call("GET", f"/runs/{self.id}")

    def finish(self) -> None:
        """Says that training is over, after a last try to send what is kept on disk."""
        self.send_spooled()
        if self.id is not None:
            try:
                self.client.call("PATCH", f"/runs/{self.id}", {"status": "finished"})
            except Unreachable as cause:
                log.warning("The server was not told that the run is finished: %s", cause)
            except EnvSchedError as refusal:
                self._deleted(refusal)

    def _deleted(self, refusal: EnvSchedError) -> str:
        """The sentence of who deleted the run, told once; any other refusal is raised again."""
        if refusal.code != "run_deleted":
            raise refusal
        if self._gone is None:
            log.warning("%s Training goes on: batches are drawn uniformly, reports are kept nowhere.", refusal)
        self._gone = str(refusal)
        return self._gone

    def _ask(self, body: Dict[str, Any]) -> Dict[str, Any]:
        told = False
        while True:
            try:
                return self.client.call("POST", f"/runs/{self.id}/batches", body)
            except EnvSchedError as refusal:
                if refusal.code != "run_paused":
                    raise
            if not told:
                log.warning("The run is paused on the server: training waits until it is resumed.")
                told = True
            time.sleep(PAUSED_SECONDS)

    def _send(self, rows: List[Dict[str, Any]]) -> Dict[str, Any]:
        answer = self.client.call("POST", f"/runs/{self.id}/rollouts", rows)
        for refused in answer.get("rejected", []):
            log.warning("Rollout %s was refused: %s", refused.get("id"), refused.get("reason"))
        return answer

    def _offline(self, size: int, group_size: int, policy_version: int, why: str) -> Batch:
        tasks = self._draw.take(size)
        if not tasks:
            raise Unreachable(f"{why}, and no task is known to draw from: give start_run the task set, not its id")
        picks = [
            Pick(
                environment=task["environment"],
                task=task["key"],
                group_size=group_size,
                policy_version=policy_version,
                payload=task.get("payload"),
                reason="drawn uniformly, the scheduler could not be reached",
            )
            for task in tasks
        ]
        return Batch(None, None, picks, {"rung": "offline", "why": why})


class _UniformDraw:
    """Uniform choice in shuffled rounds over all tasks: no task twice in a batch while there are enough."""

    def __init__(self, tasks: List[Mapping[str, Any]], seed: str) -> None:
        self._tasks: Dict[Tuple[str, str], Mapping[str, Any]] = {(t["environment"], t["key"]): t for t in tasks}
        self._whole = bool(tasks)
        self._random = random.Random(seed)
        self._round: List[Tuple[str, str]] = []
        self._lock = threading.Lock()

    def learn(self, picks: Iterable[Pick]) -> None:
        """Without the task set, what was seen in batches is what can be drawn."""
        if self._whole:
            return
        for pick in picks:
            task = {"environment": pick.environment, "key": pick.task, "payload": pick.payload}
            self._tasks.setdefault((pick.environment, pick.task), task)

    def take(self, size: int) -> List[Mapping[str, Any]]:
        with self._lock:
            taken: List[Tuple[str, str]] = []
            while self._tasks and len(taken) < size:
                if not self._round:
                    self._round = sorted(self._tasks)
                    self._random.shuffle(self._round)
                    if len(self._tasks) >= size:
                        # tasks of this batch go to the end of the new round
                        self._round.sort(key=lambda key: key not in taken)
                taken.append(self._round.pop())
            return [self._tasks[key] for key in taken]


class _Spool:
    """Reports on disk: one file a process, JSON lines, appended and flushed. A dead process's file is taken over."""

    def __init__(self, folder: Path, url: str, key: str) -> None:
        self._folder = folder
        name = re.sub(r"[^A-Za-z0-9]+", "-", key)[:60]
        self._prefix = f"{name}-{zlib.crc32(f'{url} {key}'.encode()):08x}."
        self._host = re.sub(r"[^A-Za-z0-9-]+", "-", socket.gethostname())
        self._key = key
        self._tells = False
        self._lock = threading.Lock()

    def _own(self) -> Path:
        return self._folder / f"{self._prefix}{self._host}.{os.getpid()}.jsonl"

    def waiting(self) -> bool:
        return self._own().exists()

    def keep(self, rows: List[Dict[str, Any]]) -> None:
        text = "".join(json.dumps(_finite(row), default=_plain) + "\n" for row in rows)
        with self._lock:
            self._folder.mkdir(parents=True, exist_ok=True)
            with open(self._own(), "a", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            if not self._tells:
                self._tells = True
                atexit.register(self._tell_left)

    def _tell_left(self) -> None:
        """At the end of the process: where reports are that the server has not got."""
        if self.waiting() and sys.stderr is not None:
            text = f"envsched: reports that were not sent are in {self._own().resolve()}; "
            print(f"{text}the next run with the key {self._key!r} sends them.", file=sys.stderr)

    def files(self) -> Iterator[Tuple[Path, List[Dict[str, Any]]]]:
        """Files of this run that are this process's or nobody's any more, oldest first."""
        with self._lock:
            found = [path for path in self._folder.glob(f"{self._prefix}*.jsonl") if self._mine(path)]
        for path in sorted(found, key=lambda item: item.stat().st_mtime):
            rows = []
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    rows.append(json.loads(line))
                except json.JSONDecodeError:
                    log.warning("A line in %s was cut off and is left out.", path)
            yield path, rows

    def forget(self, path: Path) -> None:
        path.unlink()

    def set_aside(self, path: Path) -> None:
        path.replace(path.with_suffix(f".{int(time.time())}.refused"))

    def _mine(self, path: Path) -> bool:
        if path == self._own():
            return True
        host, _, process = path.name[len(self._prefix) : -len(".jsonl")].rpartition(".")
        if host == self._host and process.isdigit() and os.name == "posix":
            return not _alive(int(process))
        return time.time() - path.stat().st_mtime > 3600


def _tell_shared_ids(rows: List[Dict[str, Any]]) -> None:
    """An id is the key that makes a report safe to repeat: a second rollout under it counts as sent before."""
    ids = [row.get("id") for row in rows]
    shared = len(ids) - len(set(ids))
    if shared > 0:
        log.error("%d rollouts of this report share an id with another and will not count: pick.rollout(reward) makes one each", shared)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _rollout(row: Mapping[str, Any]) -> Dict[str, Any]:
    result = {CAMEL.get(name, name): value for name, value in row.items()}
    result.setdefault("id", uuid.uuid4().hex)
    result["reward"] = _number(result.get("reward"))
    if "outcome" in result:
        result["outcome"] = _number(result["outcome"])
    return result


def _number(value: Any) -> Any:
    """A finite float, or None: a reward that is missing, NaN or infinite is never 0."""
    if value is None or isinstance(value, (bool, str)):
        return value
    number = float(value)
    return number if math.isfinite(number) else None


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): _finite(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value


def _plain(value: Any) -> Any:
    """Numbers of array libraries become plain ones, anything else its text."""
    if hasattr(value, "tolist"):
        return _finite(value.tolist())
    return str(value)


def _refusal(refusal: urllib.error.HTTPError) -> EnvSchedError:
    try:
        error = json.loads(refusal.read())["error"]
        return EnvSchedError(refusal.code, error["code"], error["message"], error.get("issues"))
    except (ValueError, KeyError, TypeError, OSError):
        return EnvSchedError(refusal.code, "unexpected", f"The server answered {refusal.code} without a reason.")


def _seconds(value: Optional[str]) -> Optional[float]:
    try:
        return max(0.0, float(value)) if value is not None else None
    except ValueError:
        return None


def _add(total: Dict[str, Any], answer: Mapping[str, Any], offset: int) -> None:
    total["accepted"] += answer.get("accepted", 0)
    total["duplicates"] += answer.get("duplicates", 0)
    for reason, count in answer.get("untrusted", {}).items():
        total["untrusted"][reason] = total["untrusted"].get(reason, 0) + count
    for refused in answer.get("rejected", []):
        total["rejected"].append({**refused, "index": refused["index"] + offset})
