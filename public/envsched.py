"""EnvSched's client for trainers: one file, Python 3.9 or newer, standard library only.

    from envsched import Client

    client = Client("http://127.0.0.1:4310/?token=...")            # the address that the server printed
    tasks = client.register_tasks({"name": "my tasks", "environments": [...], "tasks": [...]})
    run = client.start_run(tasks, "first run", key="first-run")     # the same key and task set go on with the same run
    for step in range(100):
        batch = run.next_batch(size=32, group_size=8, policy_version=step)
        rollouts = [pick.rollout(reward=play(pick.payload)) for pick in batch for _ in range(pick.group_size)]
        run.report(rollouts)
        train_on(rollouts)

With two-stage groups (`stages=(4, 4)`) only groups whose first rewards differ get the second four, and what the others leave
over buys further picks: `while picks: ...; picks = run.report(part).next`. Trainers that choose their own tasks ask
`run.shares(...)` how many picks each environment should get.

A training run never stops because of the scheduler. Calls are tried again with growing pauses. While the server cannot
be reached, batches are drawn uniformly from the registered tasks (`batch.fallback["rung"] == "offline"`) and reports are
kept in a folder on disk; they are sent when it answers again, also by a later process with the same key. When a person
deletes the run on the server, batches are drawn in the same way and reports are kept nowhere; when a person finishes it there,
reports are still sent, and the scheduler chooses again when the run is opened again. A reward that is NaN or infinite is sent
as null: it is kept as an untrusted rollout and never counts as 0.

`run.state()` belongs into the trainer's checkpoint, and `run.restore(state)` at its resumption: the scheduler then goes on from
where it stood. What it was told since stays visible on the pages and counts no more.

It starts no thread. Clients and runs may be used by several threads, forked, and pickled (the token goes along): a copy in
another process asks under ids of its own, draws its own offline batches, and keeps its reports in files of its own.
"""

from __future__ import annotations

import atexit
import email.utils
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
import weakref
import zlib
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

__all__ = ["Batch", "Client", "EnvSchedError", "Pick", "Report", "Run", "TaskSet", "Unreachable"]

__version__ = "0.1.0"

log = logging.getLogger("envsched")

# begins the line of a restore that waits among the reports
_RESTORE = '{"envsched-restore":'

_T = TypeVar("_T")

GZIP_FROM_BYTES = 16_384
ROLLOUTS_A_CALL = 500
BYTES_A_CALL = 16 * 1024 * 1024
PAUSED_SECONDS = 2.0
MOST_RETRY_AFTER = 30.0
SEGMENT_BYTES = 4 * 1024 * 1024
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
    """One chosen task. `lease` is None when it was drawn offline; its rollouts are then matched by environment and task.

    `group_size` is how many rollouts to make now. `slot` is "score", "uniform" or "pin"; "continued" for the second stage of
    a group.
    """

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


class Report(Dict[str, Any]):
    """What became of a report: `accepted`, `duplicates`, `untrusted`, `rejected`, `spooled`.

    `next` are the picks to roll out now: second stages of two-stage groups whose rewards differ, and further picks that the
    others' budget buys. It is empty without `stages`, at the end of a batch, and while the server cannot be reached.
    """

    def __init__(self) -> None:
        super().__init__(accepted=0, duplicates=0, untrusted={}, rejected=[], spooled=0)
        self.next: List[Pick] = []


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

    `timeout` is in seconds for one try, `retries` counts tries after the first. Before a further try it waits a random time
    under `pause` seconds, doubled each time up to `most_pause`, or as long as the server asked for (30 s at most); no try
    begins later than two timeouts after the first. While the server is away it is asked again after `probe_seconds`, then
    less and less often (every 10 s at the latest), so that a trainer does not wait for it at each step.

    `spool` is the folder for reports that could not be sent. It takes `spool_bytes` for each run; where the disk is full,
    `memory_rows` rollouts stay in memory. Beyond that the oldest are dropped, and the log says how many.
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
        pause: float = 0.5,
        most_pause: float = 8.0,
        spool_bytes: int = 1024 * 1024 * 1024,
        memory_rows: int = 10_000,
    ) -> None:
        address = url or os.environ.get("ENVSCHED_URL") or "http://127.0.0.1:4310"
        parts = urllib.parse.urlsplit(address)
        inside = urllib.parse.parse_qs(parts.query).get("token", [None])[0]
        self.url = urllib.parse.urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))
        self._token = token or inside or os.environ.get("ENVSCHED_TOKEN")
        self.timeout = timeout
        self.retries = retries
        self.pause = pause
        self.most_pause = most_pause
        self.spool = Path(spool)
        self.spool_bytes = spool_bytes
        self.memory_rows = memory_rows
        self._probe_seconds = probe_seconds
        self._outage: Optional[_Outage] = None

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    def __getstate__(self) -> Dict[str, Any]:
        # the clock of an outage means nothing in another process
        return {**self.__dict__, "_outage": None}

    def register_tasks(self, task_set: Mapping[str, Any]) -> TaskSet:
        """Registers environments and tasks; the same content gives the same set. Offline it is registered later."""
        try:
            answer = self._object("POST", "/task-sets", task_set)
        except Unreachable:
            return TaskSet(None, task_set)
        return TaskSet(_text(answer, "id"), task_set)

    def start_run(
        self,
        task_set: Union[TaskSet, Mapping[str, Any], str],
        name: str,
        key: Optional[str] = None,
        seed: Union[int, str, None] = None,
        config: Optional[Mapping[str, Any]] = None,
        **more: Any,
    ) -> "Run":
        """Starts a run, or goes on with the one of the same `key` and task set; one that was over is opened again.

        Key and content of the task set name a run together: the same key on changed tasks starts a second one, and
        `Run.restore` takes the history of the first one over.

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
        last_begin = time.monotonic() + 2 * timeout
        pause = self.pause
        while True:
            left -= 1
            request = urllib.request.Request(f"{self.url}/api/v1{path}", data=data, headers=headers, method=method)
            wait = random.uniform(0.0, pause)
            try:
                value = _read(request, timeout)
                self._reached()
                return value
            except urllib.error.HTTPError as refusal:
                with refusal:
                    error = _refusal(refusal)
                    asked = _seconds(refusal.headers.get("Retry-After"))
                if refusal.code not in RETRIED_STATUSES:
                    self._reached()
                    raise error from None
                cause: Exception = error
                if asked is not None:
                    wait = min(asked, MOST_RETRY_AFTER)
            except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as failure:
                cause = failure
            if left <= 0 or time.monotonic() + wait > last_begin:
                raise self._lost(cause) from cause
            time.sleep(wait)
            pause = min(pause * 2, self.most_pause)

    def _object(self, method: str, path: str, body: Any = None) -> Dict[str, Any]:
        """The same for answers that are an object. Anything else did not come from EnvSched: Unreachable."""
        answer = self.call(method, path, body)
        if isinstance(answer, dict):
            return answer
        raise Unreachable(f"{self.url} answered with something else than EnvSched does")

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

    def _away(self) -> Unreachable:
        return Unreachable(self._outage.why if self._outage is not None else f"{self.url} cannot be reached")

    def _encode(self, body: Any) -> Tuple[Optional[bytes], Dict[str, str]]:
        headers = {"accept": "application/json", "user-agent": f"envsched.py/{__version__}"}
        if self._token:
            headers["authorization"] = f"Bearer {self._token}"
        if body is None:
            return None, headers
        headers["content-type"] = "application/json"
        data = body if isinstance(body, bytes) else _json(body).encode()
        if len(data) >= GZIP_FROM_BYTES:
            data = gzip.compress(data, 5)
            headers["content-encoding"] = "gzip"
        return data, headers


class Run:
    """One training run. Made by `Client.start_run`; may be used by several threads, forked and pickled."""

    def __init__(self, client: Client, task_set: TaskSet, body: Dict[str, Any]) -> None:
        self.client = client
        self.task_set = task_set
        self.key = str(body["key"])
        self.id: Optional[str] = None
        self._body = body
        self._gone: Optional[str] = None
        self._begun = False
        self._told: Optional[str] = None
        self._over = False
        self._stateless = False
        self._finished = False
        self._spool = _Spool(client, self.key)
        self._draw = _UniformDraw(task_set.tasks, f"{body.get('seed', '')}/{self.key}")
        self._renew()

    def _renew(self) -> None:
        """What must not be shared with another process: locks, and the start of request ids."""
        self._lock = threading.RLock()
        self._unique = uuid.uuid4().hex[:12]
        self._asked = 0
        _RUNS.add(self)

    def __getstate__(self) -> Dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._in_new_process()

    def _in_new_process(self) -> None:
        self._renew()
        self._spool.renew()
        self._draw.renew()

    def attach(self) -> bool:
        """Makes sure that the server knows the run. False while it cannot be reached."""
        with self._lock:
            if self.id is not None:
                return True
            try:
                if self.task_set.id is None:
                    answer = self.client._object("POST", "/task-sets", self.task_set.content)
                    self.task_set = TaskSet(_text(answer, "id"), self.task_set.content)
                run = self.client._object("POST", "/runs", {**self._body, "taskSet": self.task_set.id})
                self.id = _text(run, "id")
            except Unreachable:
                return False
            return True

    def next_batch(
        self,
        size: int,
        group_size: int,
        policy_version: int,
        request_id: Optional[str] = None,
        stages: Optional[Tuple[int, int]] = None,
    ) -> Batch:
        """The tasks to roll out next. The same `request_id` gives the same batch; by default each call has its own.

        `stages`, such as (4, 4), asks for two-stage groups: each pick starts with the first number, `Report.next` says how to
        go on, and size times group_size is the budget of rollouts.

        Never raises because the server is away, or because a person deleted or finished the run there: the batch is then
        drawn uniformly, in one stage, and says so in `fallback`. While a person has paused the run, this waits.
        """
        body: Dict[str, Any] = {"size": size, "groupSize": group_size, "policyVersion": policy_version}
        if stages is not None:
            body["stages"] = list(stages)
        batch, why = self._want(body, request_id, lambda answer: _batch(answer, policy_version))
        if batch is None:
            return self._offline(size, group_size, policy_version, why)
        self._draw.learn(batch.picks)
        if len(batch) < size:
            why = " ".join(batch.notes) or "fewer tasks are free"
            log.warning("Batch %s has %d of %d picks: %s", batch.index, len(batch), size, why)
        return batch

    def shares(
        self, size: int, policy_version: int, *, group_size: int, request_id: Optional[str] = None
    ) -> Dict[str, int]:
        """How many of `size` picks each environment should get now, for a trainer that chooses its own tasks.

        Nothing is leased: report rollouts with environment, task and policy_version. Environments that get none are left
        out. Like `next_batch` this never raises because the server is away: tasks are then drawn uniformly and counted.
        """
        body = {"size": size, "groupSize": group_size, "policyVersion": policy_version, "mode": "shares"}
        shares, why = self._want(body, request_id, _shares)
        if shares is None:
            shares = {}
            for pick in self._offline(size, group_size, policy_version, why):
                shares[pick.environment] = shares.get(pick.environment, 0) + 1
        return shares

    def _want(
        self, body: Dict[str, Any], request_id: Optional[str], read: Callable[[Mapping[str, Any]], _T]
    ) -> Tuple[Optional[_T], str]:
        """What the server answers to a request of a batch, or None and why there is nothing."""
        if self._gone is not None:
            return None, self._gone
        self.send_spooled()
        with self._lock:
            self._asked += 1
            body["requestId"] = request_id or f"{self._unique}-{os.getpid()}-{self._asked}"
        try:
            if not self.attach():
                raise self.client._away()
            answer = read(self._ask(body))
        except Unreachable as cause:
            return None, str(cause)
        except EnvSchedError as refusal:
            return None, self._without(refusal)
        self._begun, self._told, self._over = True, None, False
        return answer, ""

    def report(self, rollouts: Iterable[Mapping[str, Any]]) -> Report:
        """Sends rollouts; gives `{accepted, duplicates, untrusted, rejected, spooled}`, and `next`. May be called with parts of groups.

        What cannot be sent now is kept on disk (`spooled` counts it) and sent later under the same ids. Never raises
        because of the server, the disk, or what a rollout holds.
        """
        rows = [_rollout(row) for row in rollouts]
        _tell_shared_ids(rows)
        total = Report()
        self.send_spooled()
        for part in _parts(rows, total["rejected"]):
            try:
                if self._spool.waiting() or not self.attach():
                    raise Unreachable("earlier reports are still waiting")
                answer = self._send([row.text for row in part])
                for refused in answer.get("rejected", [])[:1]:
                    log.error("Rollouts refused: %d, the first: %s", len(answer["rejected"]), refused["reason"])
                _add(total, answer, part)
                total.next += self._go_on(answer, rows)
                self._begun, self._told = True, None
            except Unreachable:
                self._spool.keep([row.text for row in part])
                total["spooled"] += len(part)
            except EnvSchedError as refusal:
                why = self._without(refusal)
                if self._gone is None:
                    self._spool.keep([row.text for row in part])
                    total["spooled"] += len(part)
                else:
                    total["rejected"] += [{"index": row.index, "id": row.id, "reason": why} for row in part]
        return total

    def send_spooled(self) -> int:
        """Sends what is kept for this run, oldest first; gives how many rollouts went.

        What the server refuses as a whole is set aside in the folder (`.refused`) and told in the log.
        """
        sent = 0
        with self._lock:
            if self._gone is not None:
                return 0
            for kept in self._spool.waiting_files():
                try:
                    if not self.attach():
                        break
                    for part in _cut(kept.texts):
                        if part[0].startswith(_RESTORE):
                            self._restore(json.loads(part[0])["envsched-restore"])
                        else:
                            self._send(part)
                except Unreachable:
                    break
                except EnvSchedError as refusal:
                    if refusal.status in (401, 403) or refusal.code == "run_deleted":
                        self._without(refusal)
                        break
                    log.error("Reports that were kept were refused and are set aside in %s: %s", self._spool.folder, refusal)
                    self._spool.set_aside(kept)
                    continue
                self._spool.forget(kept)
                sent += sum(not text.startswith(_RESTORE) for text in kept.texts)
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
            self._without(refusal)

    def summary(self) -> Dict[str, Any]:
        """The run as the server sees it: status, batch, informative share, reward and more. Raises Unreachable."""
        if not self.attach():
            raise self.client._away()
        return self.client._object("GET", f"/runs/{self.id}")

    def state(self) -> Dict[str, Any]:
        """The scheduler's state for a checkpoint: a small dict of plain JSON values. Take it after `report`.

        Never raises because the server is away: the state then says so (`offline`), and restoring it undoes nothing.
        """
        self.send_spooled()
        why = self._gone or ""
        if self._gone is None:
            try:
                if not self.attach():
                    raise self.client._away()
                state = self.client._object("GET", f"/runs/{self.id}/state")
                self._stateless = False
                return state
            except Unreachable as cause:
                why = str(cause)
            except EnvSchedError as refusal:
                why = self._without(refusal)
        if not self._stateless:
            log.warning("Checkpoints hold no state of the scheduler now, which goes on from where it stands: %s", why)
        self._stateless = True
        return {"version": 1, "run": self.id, "offline": True, "why": why}

    def restore(self, state: Optional[Mapping[str, Any]]) -> Dict[str, Any]:
        """Puts a state of `state()` back; call it once when training resumes, in one process, before the first batch.

        A state of this run takes the run back to it; one of another run of the server, also on another task set, makes this
        run begin with that history. Gives the server's answer (`restored`, `epoch`, `batch`, `taskSet`, `sentence`). While the
        server cannot be reached, the state is kept on disk in the order of the reports: those from before are sent first, then
        it is restored, then come the later ones (`{"restored": False, "pending": True}`). Raises EnvSchedError where the state
        fits nothing that the server has; its sentence says what to do. None, of a checkpoint without a state, restores nothing.
        """
        if state is None or state.get("offline"):
            why = "the checkpoint holds no state of the scheduler"
            if state is not None:
                why = "the checkpoint was written while the scheduler could not be reached"
            log.warning("Nothing is restored: %s. The scheduler goes on from where it stands.", why)
            return {"restored": False, "pending": False, "why": why}
        body = {**state, "requestId": uuid.uuid4().hex}
        self.send_spooled()
        why = self._gone or ""
        try:
            if self._gone is None:
                if self._spool.waiting() or not self.attach():
                    raise self.client._away()
                return self._restore(body)
        except Unreachable as cause:
            self._spool.keep_apart(_RESTORE + json.dumps(body) + "}")
            log.warning("The state will be restored when the server answers: %s", cause)
            return {"restored": False, "pending": True, "why": str(cause)}
        except EnvSchedError as refusal:
            why = self._without(refusal)
        return {"restored": False, "pending": False, "why": why}

    def _restore(self, body: Mapping[str, Any]) -> Dict[str, Any]:
        answer = self.client._object("PUT", f"/runs/{self.id}/state", body)
        log.info("%s", answer.get("sentence"))
        return answer

    def finish(self) -> None:
        """Says that training is over, after a last try to send what is kept on disk. `start_run` by its key opens it again."""
        self.send_spooled()
        self._finished = True
        if self.id is not None:
            try:
                self.client.call("PATCH", f"/runs/{self.id}", {"status": "finished"})
            except Unreachable as cause:
                log.warning("The server was not told that the run is finished: %s", cause)
            except EnvSchedError as refusal:
                self._without(refusal)

    def _without(self, refusal: EnvSchedError) -> str:
        """Why training goes on without the server, told once; a refusal that is the caller's to mend is raised again.

        That is so when a person deleted or finished the run, and when a server that has answered before does not know the
        token or the run any more. To ask after one's own `finish()` is a mistake.
        """
        why = str(refusal)
        if refusal.code == "run_deleted":
            if self._gone is None:
                log.warning("%s Training goes on: batches are drawn uniformly, reports are kept nowhere.", why)
            self._gone = why
        elif refusal.code == "run_over" and not self._finished:
            if not self._over:
                log.warning("%s Training goes on: batches are drawn uniformly, reports are sent.", why)
            self._over = True
        elif self._begun and refusal.status in (401, 403, 404):
            if self._told != why:
                log.error("%s Training goes on: batches are drawn uniformly, reports are kept on disk.", why)
            self._told = why
        else:
            raise refusal
        return why

    def _ask(self, body: Dict[str, Any]) -> Dict[str, Any]:
        told = False
        while True:
            try:
                return self._call_run("/batches", body)
            except EnvSchedError as refusal:
                if refusal.code != "run_paused":
                    raise
            if not told:
                log.warning("The run is paused on the server: training waits until it is resumed.")
                told = True
            time.sleep(PAUSED_SECONDS)

    def _call_run(self, path: str, body: Any) -> Dict[str, Any]:
        """A call of the run. A server that lost its data is told task set and run anew, once."""
        try:
            return self.client._object("POST", f"/runs/{self.id}{path}", body)
        except EnvSchedError as refusal:
            if refusal.status != 404 or refusal.code != "not_found" or not self.task_set.content:
                raise
            log.error("%s It is started anew from its task set.", refusal)
        with self._lock:
            self.id = None
            self.task_set = TaskSet(None, self.task_set.content)
            if not self.attach():
                raise self.client._away()
        return self.client._object("POST", f"/runs/{self.id}{path}", body)

    def _send(self, texts: Sequence[str]) -> Dict[str, Any]:
        try:
            answer = self._call_run("/rollouts", ("[" + ",".join(texts) + "]").encode())
        except EnvSchedError as refusal:
            if refusal.status != 413 or len(texts) < 2:
                raise
            half = len(texts) // 2
            first, second = self._send(texts[:half]), self._send(texts[half:])
            return _joined(first, second, half)
        for refused in answer.get("rejected", []):
            log.warning("Rollout %s was refused: %s", refused.get("id"), refused.get("reason"))
        return answer

    def _go_on(self, answer: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> List[Pick]:
        """Second stages of this report's groups, then further picks."""
        named = {row["lease"]: row for row in rows if row.get("lease") is not None}
        picks = []
        for goes_on in answer.get("continue", []):
            row = named.get(goes_on["lease"], {})
            environment, task = str(row.get("environment", "")), str(row.get("task", ""))
            picks.append(
                Pick(
                    environment=environment,
                    task=task,
                    group_size=goes_on["rollouts"],
                    policy_version=row.get("policyVersion", 0),
                    lease=goes_on["lease"],
                    slot="continued",
                    payload=self._draw.payload(environment, task),
                    reason="its first rewards differ",
                )
            )
        more = [_pick(row, row["policyVersion"]) for row in answer.get("more", [])]
        self._draw.learn(more)
        return picks + more

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
        self._seed = seed
        self._random = random.Random(seed)
        self._round: List[Tuple[str, str]] = []
        self._lock = threading.Lock()

    def __getstate__(self) -> Dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def renew(self) -> None:
        """In another process: draws of its own."""
        self._lock = threading.Lock()
        self._random = random.Random(f"{self._seed}/{os.getpid()}")
        self._round = []

    def learn(self, picks: Iterable[Pick]) -> None:
        """Without the task set, what was seen in batches is what can be drawn."""
        if self._whole:
            return
        for pick in picks:
            task = {"environment": pick.environment, "key": pick.task, "payload": pick.payload}
            self._tasks.setdefault((pick.environment, pick.task), task)

    def payload(self, environment: str, task: str) -> Any:
        return self._tasks.get((environment, task), {}).get("payload")

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


@dataclass(frozen=True)
class _Kept:
    """Rollouts that wait, as JSON texts. `path` is their file and its size, None for those that only memory holds."""

    path: Optional[Path]
    texts: List[str]
    size: int = 0


class _Spool:
    """Reports that wait: JSON lines in files of this process, appended and flushed. A dead process's files are taken over.

    A line is whole or it is left out and told: a crash, or a disk that fills up, in the middle of one costs that line and
    no other. What cannot be written stays in memory. Sending a row twice is harmless, losing one is not: where both could
    happen, rows are kept.
    """

    def __init__(self, client: Client, key: str) -> None:
        self.folder = client.spool
        name = re.sub(r"[^A-Za-z0-9]+", "-", key)[:60]
        self._prefix = f"{name}-{zlib.crc32(f'{client.url} {key}'.encode()):08x}."
        self._host = re.sub(r"[^A-Za-z0-9-]+", "-", socket.gethostname())
        self._key = key
        self._most_bytes = client.spool_bytes
        self._most_rows = client.memory_rows
        self._memory: Deque[str] = deque()
        self.renew()

    def __getstate__(self) -> Dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_memory"}

    def renew(self) -> None:
        """In another process: none of the rows in memory, which the first one sends itself."""
        self._memory = deque()
        self._segment: Optional[Path] = None
        self._told_full = False
        self._tells = False

    def waiting(self) -> bool:
        """Whether rows of this process, or of none any more, are kept."""
        return bool(self._memory) or any(self._mine(path) for path in self._paths())

    def keep(self, texts: Sequence[str]) -> None:
        """Never raises: on disk, or else in memory."""
        with _SPOOLS:
            self._memory.extend(texts)
            self._flush()
            dropped = len(self._memory) - self._most_rows
            for _ in range(dropped):
                self._memory.popleft()
            if dropped > 0:
                log.error("%d rollouts were dropped, the oldest: neither server nor disk takes them.", dropped)
            if not self._tells:
                self._tells = True
                # a forked process has the first one's already
                atexit.unregister(self._tell_left)
                atexit.register(self._tell_left)

    def keep_apart(self, text: str) -> None:
        """In a file of its own, younger than what was kept before and older than what will be: it is never sent with rows."""
        for _ in range(2):
            self._segment = None
            # clocks of file systems tick every few milliseconds
            time.sleep(0.02)
            if text:
                self.keep([text])
            text = ""

    def _flush(self) -> None:
        """From memory to disk, if it takes them."""
        try:
            self._append("".join(text + "\n" for text in self._memory).encode())
        except OSError as failure:
            if not self._told_full:
                log.error("Reports cannot be kept in %s (%s): they stay in memory.", self.folder, failure)
            self._told_full = True
            return
        self._memory.clear()
        self._told_full = False
        self._drop_oldest()

    def _append(self, data: bytes) -> None:
        if self._segment is None or _size(self._segment) > SEGMENT_BYTES:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._segment = self._new_path()
        path = self._segment
        with open(path, "ab", buffering=0) as file:
            before = file.seek(0, os.SEEK_END)
            try:
                view = memoryview(data)
                while view:
                    view = view[file.write(view) or 0 :]
                os.fsync(file.fileno())
            except OSError:
                # a disk that is full takes half of it; the next rows go to another file in any case
                self._segment = None
                try:
                    file.truncate(before)
                except OSError:
                    pass
                if before == 0:
                    _remove(path)
                raise
        if before == 0:
            _sync_folder(self.folder)

    def _drop_oldest(self) -> None:
        paths = [path for path in self._by_age() if self._mine(path)]
        sizes = {path: _size(path) for path in paths}
        total = sum(sizes.values())
        for path in paths[:-1]:
            if total <= self._most_bytes:
                return
            dropped = len(_lines(path))
            total -= sizes[path]
            _remove(path)
            log.error("%d rollouts were dropped, the oldest: %s holds as much as it may.", dropped, self.folder)

    def _tell_left(self) -> None:
        """At the end of the process: where reports are that the server has not got."""
        if sys.stderr is None:
            return
        if self._memory:
            print(f"envsched: {len(self._memory)} rollouts were sent nowhere and are lost.", file=sys.stderr)
        if any(self._mine(path) for path in self._paths()):
            text = f"envsched: reports that were not sent are in {self.folder.resolve()}; "
            print(f"{text}the next run with the key {self._key!r} sends them.", file=sys.stderr)

    def waiting_files(self) -> Iterator[_Kept]:
        """What is kept by this process or by none any more, oldest first, the rows in memory last.

        Files of others are taken over by renaming them, which only one process can do.
        """
        for path in self._by_age():
            try:
                if self._mine(path):
                    if self._owner(path) != (self._host, os.getpid()):
                        path = path.rename(self._new_path())
                    size = path.stat().st_size
                    yield _Kept(path, _lines(path, told=True), size)
            except OSError as failure:
                # one that another process has taken over is not there any more
                if path.exists():
                    log.error("%s cannot be read: %s", path, failure)
        with _SPOOLS:
            held = list(self._memory)
        if held:
            yield _Kept(None, held)

    def forget(self, kept: _Kept) -> None:
        if kept.path is None:
            with _SPOOLS:
                gone = set(kept.texts)
                self._memory = deque(text for text in self._memory if text not in gone)
            return
        with _SPOOLS:
            # rows that came while these were sent stay, with those that the server will know already
            if _size(kept.path) == kept.size:
                _remove(kept.path)

    def set_aside(self, kept: _Kept) -> None:
        if kept.path is None:
            self.forget(kept)
            return
        try:
            kept.path.replace(kept.path.with_suffix(f".{int(time.time())}.refused"))
        except OSError as failure:
            log.error("%s cannot be renamed: %s", kept.path, failure)

    def _new_path(self) -> Path:
        return self.folder / f"{self._prefix}{self._host}.{os.getpid()}.{uuid.uuid4().hex[:12]}.jsonl"

    def _paths(self) -> List[Path]:
        try:
            return list(self.folder.glob(f"{self._prefix}*.jsonl"))
        except OSError:
            return []

    def _by_age(self) -> List[Path]:
        return sorted(self._paths(), key=_age)

    def _owner(self, path: Path) -> Tuple[str, int]:
        host, process = (path.name[len(self._prefix) :].split(".") + [""])[:2]
        return host, int(process) if process.isdigit() else 0

    def _mine(self, path: Path) -> bool:
        host, process = self._owner(path)
        if (host, process) == (self._host, os.getpid()):
            return True
        if host == self._host and process > 0 and os.name == "posix" and not _alive(process):
            return True
        return time.time() - _age(path) > 3600


def _lines(path: Path, told: bool = False) -> List[str]:
    texts = []
    broken = 0
    for line in path.read_bytes().split(b"\n"):
        if not line.strip():
            continue
        try:
            text = line.decode()
            if not isinstance(json.loads(text), dict):
                raise ValueError("no rollout")
            texts.append(text)
        except ValueError:
            broken += 1
    if broken > 0 and told:
        log.warning("%d lines in %s were cut off and are left out.", broken, path)
    return texts


def _remove(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        pass


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _age(path: Path) -> float:
    """When it was written last; one that is gone counts as new."""
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()


def _sync_folder(folder: Path) -> None:
    """So that a file's name survives a power cut, where folders can be flushed."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


_RUNS: "weakref.WeakSet[Run]" = weakref.WeakSet()
# held while files of spools are written or removed: runs of one key share them
_SPOOLS = threading.Lock()


def _after_fork() -> None:
    global _SPOOLS
    _SPOOLS = threading.Lock()
    for run in list(_RUNS):
        run._in_new_process()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


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
    """A finite float, or None: a reward that is missing, NaN or infinite is never 0. What is no number goes as its text."""
    if value is None or isinstance(value, (bool, str)):
        return value
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError, RuntimeError):
        return str(value)[:200]
    return number if math.isfinite(number) else None


def _json(value: Any) -> str:
    return json.dumps(_finite(value), separators=(",", ":"), default=_plain)


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): _finite(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value


def _plain(value: Any) -> Any:
    """Numbers of array libraries become plain ones, sets lists, anything else its text."""
    if hasattr(value, "tolist"):
        return _finite(value.tolist())
    if isinstance(value, (set, frozenset)):
        return _finite(sorted(value, key=str))
    return str(value)


@dataclass(frozen=True)
class _Row:
    index: int
    id: str
    text: str


def _parts(rows: Sequence[Mapping[str, Any]], rejected: List[Dict[str, Any]]) -> Iterator[List[_Row]]:
    """Rows as JSON, in slices for one call each. What cannot be written is put among the rejected."""
    ready = []
    for index, row in enumerate(rows):
        try:
            ready.append(_Row(index, str(row["id"]), _json(row)))
        except (TypeError, ValueError, RecursionError) as failure:
            log.error("Rollout %s cannot be written as JSON: %s", row.get("id"), failure)
            rejected.append({"index": index, "id": str(row["id"]), "reason": f"cannot be written as JSON: {failure}"})
    start = 0
    for part in _cut([row.text for row in ready]):
        yield ready[start : start + len(part)]
        start += len(part)


def _cut(texts: Sequence[str]) -> Iterator[List[str]]:
    part: List[str] = []
    size = 0
    for text in texts:
        alone = bool(part) and (text.startswith(_RESTORE) or part[0].startswith(_RESTORE))
        if part and (alone or len(part) >= ROLLOUTS_A_CALL or size + len(text) > BYTES_A_CALL):
            yield part
            part, size = [], 0
        part.append(text)
        size += len(text)
    if part:
        yield part


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The token goes to the address that was given, and to no other."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirects)


def _read(request: urllib.request.Request, timeout: float) -> Any:
    """The answer's JSON, None where it is empty. `timeout` holds for each wait, twice of it for the whole."""
    until = time.monotonic() + 2 * timeout
    pieces = []
    with _OPENER.open(request, timeout=timeout) as answer:
        while True:
            piece = answer.read1(1 << 16)
            if not piece:
                break
            pieces.append(piece)
            if time.monotonic() > until:
                raise TimeoutError("the answer came too slowly")
        if answer.length:
            raise http.client.IncompleteRead(b"", answer.length)
    text = b"".join(pieces)
    return json.loads(text) if text else None


def _refusal(refusal: urllib.error.HTTPError) -> EnvSchedError:
    try:
        error = json.loads(refusal.read(1 << 20))["error"]
        return EnvSchedError(refusal.code, str(error["code"]), str(error["message"]), error.get("issues"))
    except (ValueError, KeyError, TypeError, AttributeError, OSError, http.client.HTTPException):
        return EnvSchedError(refusal.code, "unexpected", f"The server answered {refusal.code} without a reason.")


def _seconds(value: Optional[str]) -> Optional[float]:
    """Of a Retry-After header: seconds, or a date."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None


def _text(answer: Mapping[str, Any], name: str) -> str:
    value = answer.get(name)
    if isinstance(value, str):
        return value
    raise Unreachable("the server answered with something else than EnvSched does")


def _pick(row: Mapping[str, Any], policy_version: int) -> Pick:
    return Pick(
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


def _shares(answer: Mapping[str, Any]) -> Dict[str, int]:
    try:
        return {str(share["environment"]): int(share["picks"]) for share in answer["shares"]}
    except (KeyError, TypeError, ValueError) as failure:
        raise Unreachable(f"the server answered with something else than shares: {failure!r}") from failure


def _batch(answer: Mapping[str, Any], policy_version: int) -> Batch:
    try:
        picks = [_pick(row, policy_version) for row in answer["picks"]]
        return Batch(answer["batch"], answer["index"], picks, answer["fallback"], answer.get("notes", []))
    except (KeyError, TypeError, AttributeError) as failure:
        raise Unreachable(f"the server answered with something else than a batch: {failure!r}") from failure


def _add(total: Dict[str, Any], answer: Mapping[str, Any], part: Sequence[_Row]) -> None:
    total["accepted"] += answer.get("accepted", 0)
    total["duplicates"] += answer.get("duplicates", 0)
    for reason, count in answer.get("untrusted", {}).items():
        total["untrusted"][reason] = total["untrusted"].get(reason, 0) + count
    for refused in answer.get("rejected", []):
        total["rejected"].append({**refused, "index": part[refused["index"]].index})


def _joined(first: Mapping[str, Any], second: Mapping[str, Any], offset: int) -> Dict[str, Any]:
    """The answers to two halves of a report as one."""
    untrusted = dict(first.get("untrusted", {}))
    for reason, count in second.get("untrusted", {}).items():
        untrusted[reason] = untrusted.get(reason, 0) + count
    moved = [{**refused, "index": refused["index"] + offset} for refused in second.get("rejected", [])]
    return {
        **second,
        "accepted": first.get("accepted", 0) + second.get("accepted", 0),
        "duplicates": first.get("duplicates", 0) + second.get("duplicates", 0),
        "untrusted": untrusted,
        "rejected": [*first.get("rejected", []), *moved],
        "continue": [*first.get("continue", []), *second.get("continue", [])],
        "more": [*first.get("more", []), *second.get("more", [])],
    }
