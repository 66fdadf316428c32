"""A server and a site for tests that ingest documents, one of each per module, on threads of their own."""

import asyncio
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from pydantic import SecretStr
from pymongo import MongoClient

from app.settings import Settings
from tests.integration.desk import KEY, RATES, threaded
from tests.unit.knowledge.crawl.crawl_site import Pages

INGEST, LINK = "/api/knowledge/ingest", "/api/knowledge/index-link"
ENDED = ("completed", "failed", "cancelled")
LONGEST_S = 60.0  # only ends a hang
RATE = "100000/minute"

Job = dict[str, Any]


class DocumentsDesk:
    """Hands documents in over HTTP, and looks at what came of them."""

    def __init__(self, client: httpx.Client) -> None:
        self.http = client

    def upload(self, name: str, body: bytes, **fields: str) -> Job:
        """The ended job of a file."""
        return self.ended(
            self.http.post(INGEST, data=fields, files={"file": (name, body)}).raise_for_status()
        )

    def uploads(self, files: Sequence[tuple[str, bytes]]) -> list[Job]:
        """Those of several, handed in together."""
        with ThreadPoolExecutor(len(files)) as at_once:
            return list(at_once.map(lambda one: self.upload(*one), files))

    def link(self, url: str, strategy: str = "single", **more: Any) -> Job:
        """The ended job of an address."""
        asked = {"url": url, "strategy": strategy, **more}
        return self.ended(self.http.post(LINK, json=asked).raise_for_status())

    def ended(self, accepted: httpx.Response) -> Job:
        """The job, once it has ended."""
        until = time.monotonic() + LONGEST_S
        pause = threading.Event()
        while time.monotonic() < until:
            found = self.http.get(f"/api/knowledge/jobs/{accepted.json()['jobId']}")
            job: Job = found.raise_for_status().json()
            if job["status"] in ENDED:
                return job
            pause.wait(0.02)
        raise AssertionError(f"not ended after {LONGEST_S} s: {job}")

    def found(self, query: str, **more: Any) -> list[dict[str, Any]]:
        """The passages for a query."""
        asked = self.http.get("/api/knowledge/resolve", params={"query": query, **more})
        passages: list[dict[str, Any]] = asked.raise_for_status().json()["chunks"]
        return passages

    def documents(self, **more: Any) -> list[dict[str, Any]]:
        """Those that are listed."""
        asked = self.http.get("/api/knowledge/documents", params={"limit": 200, **more})
        listed: list[dict[str, Any]] = asked.raise_for_status().json()["documents"]
        return listed


@contextmanager
def documents_desk(settings: Settings, *reached: str) -> Iterator[DocumentsDesk]:
    """A server that may fetch from `reached`, as in "127.0.0.1:8000"."""
    named = dict.fromkeys(RATES, RATE) | {"fetch_allowed": reached, "api_key": KEY}
    own = Settings.model_validate(settings.model_dump() | named)
    headers = {"Authorization": f"Bearer {KEY}"}
    with threaded(own) as url, httpx.Client(base_url=url, headers=headers, timeout=30) as client:
        yield DocumentsDesk(client)


@contextmanager
def temporary_desk(store_uri: str, data_dir: Path, *reached: str) -> Iterator[DocumentsDesk]:
    """A desk with a database of its own, which is dropped afterwards."""
    name = f"test_{secrets.token_hex(6)}"
    settings = Settings(
        _env_file=None,
        mongodb_uri=SecretStr(store_uri),
        mongodb_database=name,
        data_dir=data_dir,
    )
    with documents_desk(settings, *reached) as desk:
        yield desk
    with MongoClient[dict[str, object]](store_uri) as client:
        client.drop_database(name)


@contextmanager
def site_on_a_thread(site: Pages) -> Iterator[Pages]:
    """The site answers for as long as the block runs."""
    ready = threading.Event()
    loop = asyncio.new_event_loop()
    over = asyncio.Event()

    async def serve() -> None:
        async with site.served():
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    assert ready.wait(LONGEST_S)
    try:
        yield site
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join(LONGEST_S)
        loop.close()
