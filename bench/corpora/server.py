"""A server with a corpus and a model, queried over HTTP."""

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from app.cli.run.children import backend
from bench.chat.client import ChatClient
from bench.corpora.sets import Source
from bench.model import model_environment

INGESTED_S = 300.0
ENVIRONMENT = {
    f"TABWRIGHT_RATE_LIMIT{one}": "100000/minute" for one in ("", "_READS", "_CHATS")
} | {"TABWRIGHT_EMBEDDINGS": "wordllama"}


class CorpusClient:
    """A tenant's documents and chat."""

    def __init__(self, url: str, key: str) -> None:
        self._http = httpx.Client(
            base_url=url, headers={"Authorization": f"Bearer {key}"}, timeout=120
        )
        self._talker = ChatClient(url, key)

    def take_in(self, source: Source) -> None:
        """Upload a document. Raises `SystemExit` if it cannot be read."""
        said = self._http.post(
            "/api/knowledge/ingest",
            data={"title": source.title},
            files={"file": (source.name, source.data, source.media_type)},
        )
        self._wait(said, source.title)

    def take_in_text(self, title: str, text: str) -> None:
        """Upload a text."""
        said = self._http.post("/api/knowledge/ingest", json={"title": title, "text": text})
        self._wait(said, title)

    def say(self, message: str, titles: Sequence[str] = ()) -> dict[str, Any]:
        """The terminal event of a message in a new conversation with the documents tagged; `calls` counts its
        model calls.
        """
        before = self._calls()
        ids = self.ids() if titles else {}
        tags = [{"id": ids[one], "label": one, "category": "document"} for one in titles]
        end = self._talker.say(message, tags).end
        return dict(end) | {"calls": self._calls() - before}

    def ids(self) -> dict[str, str]:
        """The ids of the documents by title."""
        found: dict[str, str] = {}
        cursor: str | None = None
        while True:
            page = self._http.get(
                "/api/knowledge/documents", params={"cursor": cursor} if cursor else {}
            )
            rows = page.raise_for_status().json()
            found |= {one["title"]: one["id"] for one in rows["documents"]}
            cursor = rows.get("nextCursor")
            if not cursor:
                return found

    def _calls(self) -> int:
        summary = self._http.get("/api/usage/summary").raise_for_status().json()
        return int(summary["total"]["calls"])

    def _wait(self, said: httpx.Response, title: str) -> None:
        job = said.raise_for_status().json()
        until = time.monotonic() + INGESTED_S
        while time.monotonic() < until:
            found = self._http.get(f"/api/knowledge/jobs/{job['jobId']}").raise_for_status().json()
            if found["status"] == "completed":
                return
            if found["status"] in ("failed", "cancelled"):
                raise SystemExit(f"{title} could not be read: {found}")
            time.sleep(0.2)
        raise SystemExit(f"{title} was not read in {INGESTED_S:.0f} s")


@contextmanager
def serve_model(url: str, more: Mapping[str, str] | None = None) -> Iterator[CorpusClient]:
    """A server whose model answers at `url`."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        backend(
            Path(folder), environment=model_environment(url) | ENVIRONMENT | dict(more or {})
        ) as server,
    ):
        yield CorpusClient(server.url, server.api_key)
