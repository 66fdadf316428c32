"""What one continuation costs on the server: graph, verification, store and HTTP, without a model.

    python -m bench.roundtrip [--trips 500] [--nodes 100,200,500] [--stream]

Starts `tabwright serve` on the embedded store and drives it over HTTP with a simulated page whose
tasks take several steps each. `client` is the whole round trip as a client sees it; the parts come
from the answer's `Server-Timing`, `http` is what is left.
"""

import argparse
import asyncio
import os
import platform
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from app.launch.server import backend

STEPS = ("Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot")
GOAL = ", then ".join(f'click "{name}"' for name in STEPS)
PARTS = ("begin", "enter", "graph", "record", "complete")


class Page:
    """Buttons that each leave a message, among `nodes` controls in all."""

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


async def one_task(client: httpx.AsyncClient, nodes: int, rows: list[dict[str, float]]) -> None:
    """Run one task to its end, adding a row for each continuation."""
    page, task, answer = Page(nodes), {}, {}
    while True:
        body = page.body(**task) if task else page.body(query=GOAL)
        started = time.perf_counter()
        reply = await client.post("/api/agent/interact", json=body)
        spent = (time.perf_counter() - started) * 1000
        reply.raise_for_status()
        answer = reply.json()
        if task:
            rows.append({"client": spent, **timings(reply)})
        if answer["type"] != "action":
            if answer["status"] != "completed":
                raise SystemExit(f"the simulated task failed: {answer['result']}")
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


def timings(reply: httpx.Response) -> dict[str, float]:
    """The parts of `Server-Timing`, in ms, and what is left of the server's own time."""
    header = reply.headers.get("server-timing", "")
    pairs = (item.strip().partition(";dur=") for item in header.split(",") if item.strip())
    return {name: float(ms) for name, _, ms in pairs}


async def measure(url: str, key: str, nodes: int, trips: int) -> list[dict[str, float]]:
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=30) as client:
        rows: list[dict[str, float]] = []
        await one_task(client, nodes, [])
        await one_task(client, nodes, [])
        while len(rows) < trips:
            await one_task(client, nodes, rows)
    return rows[:trips]


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trips", type=int, default=500)
    parser.add_argument("--nodes", default="100,200,500")
    given = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    head = ("nodes", "trips", "client p50", "p95", *PARTS, "http")
    print(" ".join(f"{name:>10}" for name in head), "  (ms; parts are medians)")
    with tempfile.TemporaryDirectory() as folder:
        environment = {"TABWRIGHT_RATE_LIMIT": "1000000/minute"}
        with backend(Path(folder), environment=environment) as server:
            for nodes in map(int, given.nodes.split(",")):
                rows = await measure(server.url, server.api_key, nodes, given.trips)
                whole = [row["client"] for row in rows]
                parts = [statistics.median(row.get(part, 0.0) for row in rows) for part in PARTS]
                rest = statistics.median(
                    row["client"] - sum(row.get(part, 0.0) for part in PARTS) for row in rows
                )
                cells = [nodes, len(rows), statistics.median(whole), percentile(whole, 0.95)]
                cells += [*parts, rest]
                print(
                    " ".join(f"{c:>10.1f}" if isinstance(c, float) else f"{c:>10}" for c in cells)
                )


if __name__ == "__main__":
    asyncio.run(main())
