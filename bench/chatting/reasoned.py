"""Questions to small libraries with a model in the loop, over HTTP.

An answer is right where it cites, in the section that holds it, the place that a person marked; of a
question that nothing answers, where it says so and supports nothing. Each library has a server of its own.
"""

import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from app.launch.server import backend
from bench.chatting.talking import Talker
from bench.model import model_environment

FILE = Path(__file__).parents[1] / "data" / "short_documents.toml"
INGESTED_S = 60.0
ENVIRONMENT = {
    f"TABWRIGHT_RATE_LIMIT{one}": "100000/minute" for one in ("", "_READS", "_CHATS")
} | {"TABWRIGHT_EMBEDDINGS": "wordllama"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the words that answer it, "" for none, and the heading that they stand under."""

    text: str
    quote: str
    heading: str


def reasoned(url: str, libraries: list[str], limit: int) -> None:
    """Ask at most `limit` questions of each kind and library, and print what came of them."""
    counts: Counter[str] = Counter()
    for library in tomllib.loads(FILE.read_text("utf-8"))["library"]:
        if not libraries or library["name"] in libraries:
            counts += _of(library, url, limit)
    known, unknown = counts["known"], counts["unknown"]
    print(
        f"right {counts['right']} of {known}; "
        f"cited in the right section {counts['section']} of {counts['cited']}; "
        f"unanswerable told so {counts['told']} of {unknown}; struck out {counts['struck']}, "
        f"doubted {counts['doubted']}; asked back {counts['asked back']}; "
        f"calls {counts['calls'] / max(1, known + unknown):.1f} a question"
    )


def _of(library: Mapping[str, Any], url: str, limit: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        backend(Path(folder), environment=model_environment(url) | ENVIRONMENT) as server,
        httpx.Client(
            base_url=server.url, headers={"Authorization": f"Bearer {server.api_key}"}, timeout=60
        ) as http,
    ):
        for document in library["document"]:
            _ingest(http, document)
        talker = Talker(server.url, server.api_key)
        for asked in _questions(library, limit):
            end = talker.say(asked.text).end
            found = _judged(end, asked)
            print(f"{found:12} {library['name']}: {asked.text}\n    {_short(end)}")
            counts += _counted(found, end, asked)
        counts["calls"] = _calls(http)
    return counts


def _ingest(http: httpx.Client, document: Mapping[str, str]) -> None:
    """Raises `TimeoutError` where it takes too long."""
    said = {"title": document["title"], "text": document["text"].strip()}
    job = http.post("/api/knowledge/ingest", json=said).raise_for_status().json()
    until = time.monotonic() + INGESTED_S
    while time.monotonic() < until:
        state = http.get(f"/api/knowledge/jobs/{job['jobId']}").raise_for_status().json()["status"]
        if state == "completed":
            return
        time.sleep(0.2)
    raise TimeoutError(f"{document['title']} was not ingested in {INGESTED_S:.0f} s")


def _questions(library: Mapping[str, Any], limit: int) -> Iterator[Asked]:
    for one in library["question"][:limit]:
        text = next(d["text"] for d in library["document"] if one["quote"] in d["text"])
        above = text[: text.index(one["quote"])].splitlines()
        heading = next(line.strip("# ") for line in reversed(above) if line.startswith("#"))
        yield Asked(one["text"], one["quote"], heading)
    for one in library["nothing"][:limit]:
        yield Asked(one["text"], "", "")


def _judged(end: Mapping[str, Any], asked: Asked) -> str:
    if end["type"] != "response":
        return end["type"]
    cited = end["citations"]
    if not asked.quote:
        return "told" if not cited else "WRONG"
    return "right" if any(_is_in_section(one, asked) for one in cited) else "WRONG"


def _is_in_section(citation: Mapping[str, Any], asked: Asked) -> bool:
    return asked.heading in citation["heading_path"] or asked.quote in citation["quote"]


def _counted(found: str, end: Mapping[str, Any], asked: Asked) -> Counter[str]:
    cited = end.get("citations", [])
    counts: Counter[str] = Counter({"known" if asked.quote else "unknown": 1})
    counts[
        found if found in ("right", "told") else "asked back" if found == "interrupt" else "wrong"
    ] = 1
    if asked.quote:
        counts["cited"] = len(cited)
        counts["section"] = sum(_is_in_section(one, asked) for one in cited)
    counts["struck"] = end.get("claims_dropped", 0) > 0
    counts["doubted"] = end.get("claims_doubted", 0)
    return counts


def _calls(http: httpx.Client) -> int:
    return int(http.get("/api/usage/summary").raise_for_status().json()["total"]["calls"])


def _short(end: Mapping[str, Any]) -> str:
    text = end.get("response") or end.get("message") or end.get("question") or ""
    return " ".join(str(text).split())[:200]
