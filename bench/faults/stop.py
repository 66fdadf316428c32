"""Send SIGTERM to a real server with many runs in flight, then restart it.

Checks that it exits in time with code 0, that every run is answered, either then or when its request is
repeated, and that nothing is done twice.

    python -m bench.faults stop
"""

import asyncio
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from app.cli.run.children import Serving, serving
from tests.fakes.gemini import FakeGemini
from tests.fakes.steps import slow
from tests.integration.desk import FORM, GOAL, TYPED, TYPES, opening

RUNS = 20
KEY = "tw_" + "s" * 40
PATIENCE_S = 300.0
AGAIN_S = 0.2
# What the model thinks for one answer, and how long a stop may take: one that lets the runs end, and one
# that has to cut them off.
CASES = {"runs end in time": (3.0, 25.0), "runs are cut off": (8.0, 9.0)}


@dataclass
class Crowd:
    """Many people who each request one thing, and repeat the same request if refused."""

    url: str
    repeats: int = 0
    codes: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(self) -> str:
        """The outcome of one request: "" for exactly one action, answered the same when repeated."""
        body = FORM.body(query=GOAL)
        with client(self.url) as wire:
            first, again = self._asked(wire, body), self._asked(wire, body)
            if [one["action"] for one in first.get("actions", ())] != TYPED or again != first:
                return f"{first} then {again}"[:400]
            kept = wire.get(f"/api/task/{first['taskId']}").json()["actions"]
        return "" if len(kept) == 1 else f"{len(kept)} actions kept"

    def _asked(self, wire: httpx.Client, body: dict[str, Any]) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            try:
                answer = wire.post("/api/agent/interact", json=body)
            except httpx.TransportError as error:
                self._note(type(error).__name__)
            else:
                found: dict[str, Any] = answer.json()
                if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    return found
                self._note(found["code"])
            time.sleep(AGAIN_S)
        raise TimeoutError(f"no answer for {PATIENCE_S:.0f} s")

    def _note(self, code: str) -> None:
        with self.lock:
            self.repeats += 1
            self.codes.add(code)


def client(url: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {KEY}"}
    return httpx.Client(base_url=url, headers=headers, trust_env=False, timeout=60)


@contextmanager
def server(folder: Path, port: int, environment: dict[str, str]) -> Iterator[Serving]:
    """`tabwright serve` on that port, with its data there."""
    command = ("-m", "app.cli", "serve", "--port", str(port))
    given = environment | {"TABWRIGHT_DATA_DIR": str(folder), "TABWRIGHT_API_KEY": KEY}
    log = folder / f"server-{time.monotonic_ns()}.log"
    with serving(command, log=log, ready="/readyz", environment=given) as child:
        yield child


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def stop_server(pid: int) -> tuple[int, float]:
    """The exit code after SIGTERM, and the seconds until the exit."""
    began = time.monotonic()
    os.kill(pid, signal.SIGTERM)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - began


def run_case(thinks_s: float, within_s: float) -> tuple[str, bool]:
    """The line of one case, and whether it passed."""
    with (
        tempfile.TemporaryDirectory() as name,
        FakeGemini().served() as model,
        ThreadPoolExecutor(RUNS) as people,
    ):
        model.always(slow(thinks_s, opening(TYPES)))
        folder, port = Path(name), free_port()
        environment = {
            **model.environment,
            "TABWRIGHT_STOP_WITHIN_S": str(within_s),
            "TABWRIGHT_RATE_LIMIT": "100000/minute",
        }
        crowd = Crowd(f"http://127.0.0.1:{port}")
        with server(folder, port, environment) as child:
            asked = [people.submit(crowd.ask) for _ in range(RUNS)]
            asyncio.run(model.called(RUNS))
            code, took = stop_server(child.pid)
        with server(folder, port, environment):
            wrong = [said for one in asked if (said := one.result())]
            with client(crowd.url) as wire:
                tasks = len(wire.get("/api/tasks?limit=100").json()["tasks"])
    line = (
        f"exit code {code} after {took:.1f} s of {within_s:g}; {RUNS} in flight, {len(wrong)} lost, "
        f"{crowd.repeats} asked again ({', '.join(sorted(crowd.codes))}), {tasks} tasks kept"
    )
    for said in wrong:
        print(said)
    return line, code == 0 and took <= within_s and not wrong and tasks == RUNS


def main() -> None:
    """Run both cases; the exit code says whether they passed."""
    held = True
    for name, (thinks_s, within_s) in CASES.items():
        line, right = run_case(thinks_s, within_s)
        print(f"{name:<20} {'ok' if right else 'WRONG'}: {line}", flush=True)
        held = held and right
    raise SystemExit(0 if held else 1)
