"""Measure what one continuation costs on the server: graph, verification, store and HTTP, without a model.

    python -m bench.roundtrip [--trips 500] [--nodes 100,200,500]

Starts `tabwright serve` on the embedded store and drives it over HTTP with a simulated page whose
tasks take several steps each. `p50` is the whole round trip as the client sees it; the parts come
from the answer's `Server-Timing`, and `http` is the rest.
"""

import argparse
import http.client
import os
import platform
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import orjson
import psutil

from app.cli.run.children import backend
from bench.load.resources import workers_of

STEPS = tuple(f"Show part {number}" for number in range(1, 7))
GOAL = ", then ".join(f'click "{name}"' for name in STEPS)
PARTS = ("begin", "enter", "graph", "record")


class Page:
    """Buttons that each show a message, among `nodes` controls in total."""

    def __init__(self, nodes: int) -> None:
        self.clicked: list[str] = []
        rest = nodes - len(STEPS) - 1
        self._rest = [
            {"i": str(100 + n), "r": "link", "n": f"Record {n}", "g": f"row: Person {n}",
             "xy": [200, 20 * n]}
            for n in range(rest)
        ]  # fmt: skip

    def body(self, **more: Any) -> dict[str, Any]:
        message = f"{self.clicked[-1]} done" if self.clicked else "Ready"
        buttons = [
            {
                "i": str(i + 1),
                "r": "btn",
                "n": name,
                "s": ["pressed"] if name in self.clicked else [],
            }
            for i, name in enumerate(STEPS)
        ]
        status = {"i": "99", "r": "txt", "n": message, "s": ["status"]}
        return {
            "url": "https://bench.example/", "pageTitle": "Bench", "domMode": "semantic_v3",
            "interactiveTree": [*buttons, status, *self._rest], "pageSummary": message,
            "requestId": os.urandom(16).hex(), **more,
        }  # fmt: skip


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Client:
    """A kept-alive connection of the standard library, which adds 0.1 ms."""

    def __init__(self, url: str, key: str) -> None:
        host, _, port = url.removeprefix("http://").partition(":")
        self._connection = http.client.HTTPConnection(host, int(port), timeout=30)
        self._headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    def post(
        self, body: dict[str, Any], path: str = "/api/agent/interact"
    ) -> tuple[dict[str, Any], float, str]:
        """The answer, the time in ms, and the `Server-Timing`."""
        content = orjson.dumps(body)
        started = time.perf_counter()
        self._connection.request("POST", path, content, self._headers)
        reply = self._connection.getresponse()
        read = reply.read()
        spent = (time.perf_counter() - started) * 1000
        answer = orjson.loads(read)
        if reply.status not in (http.HTTPStatus.OK, http.HTTPStatus.CREATED):
            raise SystemExit(f"{reply.status}: {answer.get('detail')}")
        return answer, spent, reply.headers.get("server-timing", "")


def one_task(client: Client, nodes: int, rows: list[dict[str, float]]) -> None:
    """Run one task to its end and add a row for each continuation."""
    page, task = Page(nodes), {}
    while True:
        answer, spent, parts = client.post(page.body(**task) if task else page.body(query=GOAL))
        if task:
            rows.append({"client": spent, **timings(parts)})
        if answer["type"] != "action":
            if answer["status"] != "completed":
                raise SystemExit(
                    f"the simulated task failed: {answer.get('result') or answer.get('message')}"
                )
            return
        sent = answer["actions"][0]
        page.clicked.append(STEPS[int(sent["actionDetails"]["args"]["id"]) - 1])
        task = {
            "taskId": answer["taskId"],
            "sessionId": answer["sessionId"],
            "lastActionId": sent["actionId"],
            "lastActionStatus": "success",
            "clientObservations": {"didDomMutate": True, "didNetworkOccur": False},
        }


def timings(header: str) -> dict[str, float]:
    """The parts of `Server-Timing` in ms."""
    pairs = (item.strip().partition(";dur=") for item in header.split(",") if item.strip())
    return {name: float(ms) for name, _, ms in pairs}


def cpu_ms(processes: list[psutil.Process]) -> float:
    """CPU time of these processes in ms."""
    times = [process.cpu_times() for process in processes]
    return sum(t.user + t.system for t in times) * 1000


def measure(client: Client, nodes: int, trips: int) -> list[dict[str, float]]:
    """A row per continuation, after two warm-up tasks."""
    rows: list[dict[str, float]] = []
    one_task(client, nodes, [])
    one_task(client, nodes, [])
    while len(rows) < trips:
        one_task(client, nodes, rows)
    return rows


def stores(folder: Path) -> list[psutil.Process]:
    """The embedded server's process, if that is the store."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        if any(str(folder) in part for part in process.info["cmdline"] or ()):
            found.append(process)
    return [p for p in found if "secantusd" in (p.info["cmdline"] or [""])[0]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trips", type=int, default=500)
    parser.add_argument("--nodes", default="100,200,500")
    given = parser.parse_args()
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()},",
        end=" ",
    )
    print(f"load {os.getloadavg()[0]:.1f}; ms, parts are medians, cpu is per trip")
    head = ("nodes", "trips", "p50", "p95", *PARTS, "http", "cpu server", "cpu store")
    print(" ".join(f"{name:>10}" for name in head))
    for nodes in map(int, given.nodes.split(",")):
        print(measure_size(nodes, given.trips), flush=True)


def measure_size(nodes: int, trips: int) -> str:
    """The line of one size, with its own server and store, since earlier writes slow a disk down."""
    environment = {"TABWRIGHT_RATE_LIMIT": "1000000/minute"}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with backend(folder, environment=environment) as server:
            watched = workers_of(server.pid), stores(folder)
            client = Client(server.url, server.api_key)
            before = [cpu_ms(processes) for processes in watched]
            rows = measure(client, nodes, trips)
            used = [cpu_ms(p) - b for p, b in zip(watched, before, strict=True)]
            return line(nodes, rows, [cpu / len(rows) for cpu in used])


def line(nodes: int, rows: list[dict[str, float]], cpu: list[float]) -> str:
    """One line of the table."""
    whole = [row["client"] for row in rows]
    parts = [statistics.median(row.get(part, 0.0) for row in rows) for part in PARTS]
    rest = statistics.median(
        row["client"] - sum(row.get(part, 0.0) for part in PARTS) for row in rows
    )
    cells = [statistics.median(whole), percentile(whole, 0.95), *parts, rest, *cpu]
    return f"{nodes:>10} {len(rows):>10} " + " ".join(f"{cell:>10.1f}" for cell in cells)


if __name__ == "__main__":
    main()
