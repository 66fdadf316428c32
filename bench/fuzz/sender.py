"""Send bodies to a running server and record its answers."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import httpx

INTERACT = "/api/agent/interact"
HANGS_S = 60.0  # timeout
KEPT = 5  # failed bodies to print


@dataclass
class Tally:
    """The results of the bodies. Times in seconds."""

    statuses: Counter[int] = field(default_factory=Counter)
    slowest_s: float = 0.0
    wrong: list[tuple[str, bytes]] = field(default_factory=list)

    @property
    def sent(self) -> int:
        """How many were answered or timed out."""
        return sum(self.statuses.values())

    def note(self, status: int, took_s: float, body: bytes, said: str) -> None:
        """Count one; a server error or no answer (0) is wrong."""
        self.statuses[status] += 1
        self.slowest_s = max(self.slowest_s, took_s)
        wrong = status >= 500 or status == 0
        if wrong and len(self.wrong) < KEPT:
            self.wrong.append((f"{status} after {took_s:.1f} s: {said[:300]}", body))


async def send_all(url: str, key: str, bodies: Iterable[bytes], *, at_once: int = 8) -> Tally:
    """Send each body once, at most `at_once` concurrently."""
    tally, waiting = Tally(), iter(bodies)
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    async def worker(client: httpx.AsyncClient) -> None:
        for body in waiting:
            started = time.monotonic()
            try:
                reply = await client.post(INTERACT, content=body)
                status, said = reply.status_code, reply.text
            except httpx.HTTPError as error:
                status, said = 0, repr(error)
            tally.note(status, time.monotonic() - started, body, said)

    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=HANGS_S) as client:
        await asyncio.gather(*(worker(client) for _ in range(at_once)))
    return tally
