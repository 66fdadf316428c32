"""Measure how long a chat turn takes over HTTP with 10,000 chunks, without a model, on the embedded store.

Times are measured by the client and include the transport.
"""

import asyncio
import itertools
import os
import platform
import random
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from app.cli.run.children import Backend, backend
from app.domain.access import Principal
from app.settings import Settings
from app.store.open import open_all
from bench.chat.client import ChatClient, TurnEvents
from bench.knowledge.retrieval.corpus import corpus
from bench.knowledge.retrieval.questions import questions
from bench.knowledge.retrieval.store import fill_store, tenant_of

SIZE = 10_000  # chunks
FIRST_MS, TURN_MS = 300.0, 150.0  # limits: first status (95th percentile), and median turn
WORN = 5  # warm-up turns of each kind
RATES = ("RATE_LIMIT", "RATE_LIMIT_READS", "RATE_LIMIT_CHATS")
ENVIRONMENT = {f"TABWRIGHT_{name}": "1000000/minute" for name in RATES} | {"TABWRIGHT_LLM": "rules"}
TEXT = (
    "Backups are taken every night and kept for a year. A restore is tried out each month. The"
    " administrator may read any mailbox without asking. Passwords are sent by mail. Disk quotas warn"
    " the user before anything is refused. Updates are installed within seven days of their release."
)

Document = dict[str, Any]
Turn = Callable[[ChatClient], TurnEvents]


@dataclass(slots=True)
class Kind:
    """Turns of one kind, and their times."""

    name: str
    turns: Iterator[Turn]
    told: list[TurnEvents] = field(default_factory=list)

    def row(self) -> str:
        """The line of the table."""
        first = np.percentile([one.first_ms for one in self.told], [50, 95])
        whole = np.percentile([one.whole_ms for one in self.told], [50, 95])
        ends = Counter(_ended(one.end) for one in self.told).most_common(4)
        cells = "".join(f"{ms:9.1f}" for ms in (*first, *whole))
        return f"{self.name:22}{len(self.told):6}{cells}   " + ", ".join(
            f"{count} {name}" for name, count in ends
        )


def latency(cache: Path, turns: int) -> None:
    """Print the table."""
    print(
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()},"
        f" load {os.getloadavg()[0]:.1f}; {SIZE} chunks, no model"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        key = asyncio.run(_prepared(folder, cache))
        with backend(folder, environment=ENVIRONMENT) as server:
            kinds = _kinds(_documents(server, key))
            _talked(ChatClient(server.url, key), kinds, turns)
    print(f"\n{'ms':22}{'turns':>6}{'first':>9}{'p95':>9}{'turn':>9}{'p95':>9}")
    for kind in kinds:
        print(kind.row())
    every = Kind("all", iter(()), [told for kind in kinds for told in kind.told])
    print(every.row())
    print(f"\nwanted: first status within {FIRST_MS:g} ms, half of the turns within {TURN_MS:g} ms")


async def _prepared(folder: Path, cache: Path) -> str:
    """A store with the chunks, and a key of their tenant."""
    settings = Settings(_env_file=None, data_dir=folder, llm="rules")
    await fill_store(settings, corpus(cache), (SIZE,))
    async with open_all(settings) as opened:
        who = Principal(tenant=tenant_of(SIZE), user="bench")
        _, secret = await opened.store.keys.create(who)
    return secret


def _documents(server: Backend, key: str) -> list[Document]:
    """Some documents to tag, of any length."""
    headers = {"Authorization": f"Bearer {key}"}
    asked = httpx.get(
        f"{server.url}/api/knowledge/documents", params={"limit": 200}, headers=headers, timeout=60
    )
    found: list[Document] = asked.raise_for_status().json()["documents"]
    return [one for one in found if one["chunks"] > 1]


def _talked(talker: ChatClient, kinds: Sequence[Kind], turns: int) -> None:
    for at in range(-WORN, turns):
        for kind in kinds:
            told = next(kind.turns)(talker)
            if at >= 0:
                kind.told.append(told)


def _kinds(documents: Sequence[Document]) -> list[Kind]:
    random_ = random.Random(9)
    asked = [one.text for one in questions("fresh")]
    random_.shuffle(asked)
    texts = itertools.cycle(asked)

    def tagged(many: int) -> list[dict[str, str]]:
        some = random_.sample(list(documents), many)
        return [{"id": one["id"], "label": one["title"], "category": "document"} for one in some]

    def turns(message: Callable[[], str], many: int, **more: Any) -> Iterator[Turn]:
        while True:
            text, tags = message(), tagged(many)
            yield lambda talker, text=text, tags=tags: talker.say(text, tags, **more)  # type: ignore[misc]

    def plainly(ask: Callable[[], str]) -> Iterator[Turn]:
        while True:
            text = ask()
            yield lambda talker, text=text: talker.say(text)  # type: ignore[misc]

    def title() -> str:
        return str(random_.choice(list(documents))["title"])

    return [
        Kind("inquire, all", turns(lambda: next(texts), 0, action="inquire")),
        Kind("inquire, one document", turns(lambda: next(texts), 1, action="inquire")),
        Kind("summarize", turns(lambda: "", 1, action="summarize")),
        Kind("compare", turns(lambda: "", 2, action="compare")),
        Kind("audit", turns(lambda: TEXT, 1, action="audit")),
        Kind("said: a question", plainly(lambda: next(texts))),
        Kind("said: summarize", plainly(lambda: f"summarize {title()}")),
        Kind("said: compare", plainly(lambda: f"compare {title()} with {title()}")),
    ]


def _ended(event: dict[str, Any]) -> str:
    if event["type"] == "interrupt":
        return f"asked {event['interrupt_type']}"
    return event["action"] if event["type"] == "response" else f"error {event.get('problem')}"
