"""Two real server processes on one store that can be suspended, resumed and killed."""

import os
import signal
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from app.cli.run.children import Serving, serving
from app.domain.access import Principal
from app.settings import Settings
from app.store.open import Opened, open_all

ANN = Principal(tenant="one", user="ann")
TIMEOUT_S = 60.0  # only ends a hang
RATES = ("", "_READS", "_WRITES", "_CHATS", "_INGESTS")


@dataclass
class Process:
    """One of the two. `deaths` counts how often it was killed."""

    place: Path
    environment: Mapping[str, str]
    key: str
    deaths: int = 0
    client: httpx.AsyncClient = field(init=False)
    clients: list[httpx.AsyncClient] = field(default_factory=list)
    _child: Serving = field(init=False)
    _context: AbstractContextManager[Serving] = field(init=False)

    def start(self) -> None:
        """Start serving."""
        command = ("-m", "bench.interleaving.slow_server")
        log = self.place / f"{self.deaths}.log"
        self._context = serving(command, log=log, ready="/readyz", environment=self.environment)
        self._child = self._context.__enter__()
        self.client = httpx.AsyncClient(
            base_url=self._child.url,
            headers={"Authorization": f"Bearer {self.key}"},
            timeout=TIMEOUT_S,
            trust_env=False,
        )
        self.clients.append(self.client)

    def suspend(self) -> None:
        """Stop it with SIGSTOP until `wake`."""
        os.kill(self._child.pid, signal.SIGSTOP)

    def wake(self) -> None:
        """Resume it."""
        os.kill(self._child.pid, signal.SIGCONT)

    def kill(self) -> None:
        """Kill it, whatever it does."""
        os.kill(self._child.pid, signal.SIGKILL)
        self.deaths += 1
        self.end()

    def end(self) -> None:
        """Stop it gracefully, if it still runs."""
        with suppress(ProcessLookupError):
            self.wake()
        self._context.__exit__(None, None, None)


@dataclass(frozen=True)
class Pair:
    """The two, and direct access to their store."""

    opened: Opened
    processes: tuple[Process, Process]


@asynccontextmanager
async def pair(
    settings: Settings,
    uri: str,
    place: Path,
    *,
    hesitates_s: float,
    claim_ttl_s: float,
    renew_s: float,
) -> AsyncIterator[Pair]:
    """Two processes on the store at `uri`, with their files in `place`."""
    async with open_all(settings) as opened:
        _, key = await opened.store.keys.create(ANN)
        environment = {
            "TABWRIGHT_MONGODB_URI": uri,
            "TABWRIGHT_MONGODB_DATABASE": settings.mongodb_database,
            "TABWRIGHT_LLM": "rules",
            "HESITATES_S": str(hesitates_s),
            "CLAIM_TTL_S": str(claim_ttl_s),
            "RENEW_S": str(renew_s),
            **{f"TABWRIGHT_RATE_LIMIT{kind}": "1000000/minute" for kind in RATES},
            "TABWRIGHT_RUNNING_TASKS": "1000",
        }
        with (
            _started(place / "a", environment, key) as one,
            _started(place / "b", environment, key) as other,
        ):
            try:
                yield Pair(opened, (one, other))
            finally:
                for client in (*one.clients, *other.clients):
                    await client.aclose()


@contextmanager
def _started(place: Path, environment: Mapping[str, str], key: str) -> Iterator[Process]:
    place.mkdir(parents=True)
    made = Process(place, {**environment, "TABWRIGHT_DATA_DIR": str(place)}, key)
    made.start()
    try:
        yield made
    finally:
        made.end()
