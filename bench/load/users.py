"""Locust users. Runs as its own process, since gevent monkeypatches all blocking calls.

    python -m bench.load.users --url URL --key KEY --users 50 --minutes 5 --think 1

Prints one JSON line for each request that was answered or failed, and nothing else.
"""

from locust import FastHttpUser, constant, events, task  # first: it patches the standard library
from locust.env import Environment

# isort: split
import argparse
import itertools
import json
import time
from typing import Any, ClassVar

import gevent

from bench.load.work import jobs

PATH = "/api/agent/interact"
SPAWNED_A_S = 10.0


class Person(FastHttpUser):
    """Starts one task after the other and thinks before each request."""

    wait_time = constant(0)  # users think between the requests of a task
    think_s: ClassVar[float] = 1.0
    headers: ClassVar[dict[str, str]] = {}
    numbers: ClassVar[Any] = itertools.count(1)
    network_timeout = 60.0
    connection_timeout = 30.0

    def on_start(self) -> None:
        """Create this user's tasks."""
        self._jobs = jobs(next(self.numbers))

    @task
    def work(self) -> None:
        """Run one task to its end."""
        job = next(self._jobs)
        bodies = job.bodies()
        body = next(bodies)
        try:
            while True:
                gevent.sleep(self.think_s)
                body = bodies.send(self._post(job.task.name, body))
        except StopIteration:
            if job.wrong:
                _tell(task=job.task.name, wrong=job.wrong)

    def _post(self, name: str, body: dict[str, Any]) -> dict[str, Any]:
        began = time.perf_counter()
        with self.client.post(
            PATH, json=body, headers=self.headers, name=name, catch_response=True
        ) as reply:
            ms = (time.perf_counter() - began) * 1000
            answer: dict[str, Any] = reply.json() if reply.text else {}
            if reply.status_code != 200:
                why = answer.get("detail") or str(reply.error)
                _tell(task=name, ms=ms, wrong=f"{reply.status_code}: {why}")
                reply.failure(why)
            else:
                _tell(
                    task=name,
                    ms=ms,
                    first="query" in body,
                    calls=(answer.get("usage") or {}).get("modelCalls", 0),
                    parts=reply.headers.get("server-timing", ""),
                )
        return answer


def _tell(**row: Any) -> None:
    print(json.dumps({"at": time.time(), **row}), flush=False)


def main() -> None:
    """Run until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--users", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--think", type=float, default=1.0)
    given = parser.parse_args()
    Person.think_s = given.think
    Person.headers = {"Authorization": f"Bearer {given.key}"}
    environment = Environment(user_classes=[Person], events=events, host=given.url)
    runner = environment.create_local_runner()
    runner.start(given.users, spawn_rate=SPAWNED_A_S)
    gevent.sleep(given.minutes * 60)
    runner.quit()


if __name__ == "__main__":
    main()
