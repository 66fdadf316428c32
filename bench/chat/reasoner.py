"""Questions to small libraries with a model in the loop, over HTTP.

An answer is right if it cites the passage that a person marked, in the section that holds it. A question
without an answer is handled right if the chat says so and cites no support. Each library has its own server.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.corpora.server import serve_model

FILE = Path(__file__).parents[1] / "data" / "short_documents.toml"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the words that answer it ("" for none), and the heading of their section."""

    text: str
    quote: str
    heading: str


def evaluate_reasoner(url: str, libraries: list[str], limit: int) -> None:
    """Ask at most `limit` questions of each kind and library, and print the results."""
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
    with serve_model(url) as server:
        for document in library["document"]:
            server.take_in_text(document["title"], document["text"].strip())
        for asked in _questions(library, limit):
            end = server.say(asked.text)
            found = _judged(end, asked)
            print(f"{found:12} {library['name']}: {asked.text}\n    {_short(end)}")
            counts += _counted(found, end, asked)
            counts["calls"] += end["calls"]
    return counts


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


def _short(end: Mapping[str, Any]) -> str:
    text = end.get("response") or end.get("message") or end.get("question") or ""
    return " ".join(str(text).split())[:200]
