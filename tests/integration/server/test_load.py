"""Four users at once on the embedded store: a sample of `bench.load`."""

import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from app.cli.run.children import backend
from bench.load.model import SteadyGemini
from bench.load.work import jobs

REQUESTS = 50
PEOPLE = 4


def worked(client: httpx.Client, seed: int, left: "itertools.count[int]") -> list[str]:
    """What went wrong, over one task after the other until all requests are made."""
    wrong: list[str] = []
    for job in jobs(seed):
        bodies = job.bodies()
        body = next(bodies)
        while next(left) < REQUESTS:
            reply = client.post("/api/agent/interact", json=body)
            if reply.status_code != 200:
                return [*wrong, reply.text]
            try:
                body = bodies.send(reply.json())
            except StopIteration:
                break
        else:
            return wrong
        wrong += [f"{job.task.name}: {job.wrong}"] if job.wrong else []
    raise AssertionError("tasks do not run out")


def test_concurrent_users_get_their_own_responses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TABWRIGHT_MONGODB_URI", raising=False)
    with (
        SteadyGemini(0.2).served() as model,
        backend(tmp_path, environment=model.environment) as server,
    ):
        key = {"Authorization": f"Bearer {server.api_key}"}
        with (
            httpx.Client(base_url=server.url, headers=key, trust_env=False, timeout=60) as client,
            ThreadPoolExecutor(PEOPLE) as people,
        ):
            left = itertools.count()
            seeds = range(1, PEOPLE + 1)
            wrong = [*people.map(lambda seed: worked(client, seed, left), seeds)]
    assert wrong == [[]] * PEOPLE
