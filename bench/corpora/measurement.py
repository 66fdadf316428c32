"""Run the evaluations on the corpora.

Each result is written at once, so that an interrupted run resumes where it stopped, and a person can grade
what code cannot.
"""

import asyncio
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from app.llm.providers.choice import open_model
from app.settings import Settings
from bench.corpora import changes, messages, questions, rules
from bench.corpora.server import serve_model
from bench.corpora.sets import Corpus, corpus
from bench.model import model_environment

PARTS = ("questions", "rules", "changes", "messages")
WHOLE_TOKENS = "TABWRIGHT_CHAT_WHOLE_TOKENS"
_COUNTS: dict[str, Callable[[Any], Counter[str]]] = {
    "questions": questions.counted,
    "rules": rules.counted,
    "changes": changes.counted,
    "messages": messages.counted,
}

Done = dict[str, Any]


def measure(
    url: str,
    names: Sequence[str],
    parts: Sequence[str],
    *,
    cache: Path,
    out: Path,
    limit: int,
    whole_tokens: int,
) -> None:
    """Ask at most `limit` items of each part and store the results in `out`."""
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        them = corpus(name, cache)
        if "messages" in parts:
            asyncio.run(_messages(url, them, out, limit))
        if {"questions", "rules"} & {*parts}:
            _on_documents(url, them, parts, out, limit, whole_tokens)
        if "changes" in parts:
            _changes(url, them, out, limit)


def report(out: Path) -> None:
    """Print the counts of each part, by corpus and in total, including the grades in `graded.jsonl`."""
    for part in PARTS:
        every: Counter[str] = Counter()
        for file in sorted(out.glob(f"*.{part}.jsonl")):
            counts = _COUNTS[part](_rows(file))
            every.update(counts)
            _print(file.name.partition(".")[0], part, counts)
        if every:
            _print("all", part, every)
    graded = {one["id"]: one for one in _rows(out / "graded.jsonl")}
    if graded:
        told = Counter(
            f"{one['shown']} and {'true' if graded[one['id']]['true'] else 'false'}"
            for one in claims(out)
            if one["id"] in graded
        )
        _print("all", "claims graded", told)


def claims(out: Path) -> Iterator[Done]:
    """Every claim of the answers with its question, for a person to grade as true or false."""
    for file in sorted(out.glob("*.questions.jsonl")):
        for at, row in enumerate(_rows(file)):
            for number, claim in enumerate(row.get("claims", ())):
                id_ = f"{file.name.partition('.')[0]}-{at}-{number}"
                about = {"id": id_, "question": row["asked"], "answer": row["answer"]}
                yield about | claim


async def _messages(url: str, them: Corpus, out: Path, limit: int) -> None:
    os.environ |= model_environment(url)
    async with open_model(Settings(), lambda usage, exchange=None: None) as model:
        assert model is not None
        kept = _ResultStore(out / f"{them.name}.messages.jsonl")
        for row in them.of("message")[:limit]:
            if row["text"] not in kept:
                kept.add(row["text"], await messages.understand(them, row, model))


def _on_documents(
    url: str, them: Corpus, parts: Sequence[str], out: Path, limit: int, whole_tokens: int
) -> None:
    """Run the parts that need all documents ingested."""
    with serve_model(url, {WHOLE_TOKENS: str(whole_tokens)}) as server:
        for source in them.sources.values():
            server.take_in(source)
        if "questions" in parts:
            kept = _ResultStore(out / f"{them.name}.questions.jsonl")
            for row in them.of("question")[:limit]:
                if row["text"] not in kept:
                    kept.add(row["text"], questions.ask(server, row))
        if "rules" in parts:
            kept = _ResultStore(out / f"{them.name}.rules.jsonl")
            for title, rows in list(rules.by_document(them.of("rule")).items())[:limit]:
                if title not in kept:
                    kept.add(title, rules.audit(server, title, rows))


def _changes(url: str, them: Corpus, out: Path, limit: int) -> None:
    kept = _ResultStore(out / f"{them.name}.changes.jsonl")
    titles = dict.fromkeys(one["document"] for one in them.of("change"))
    with serve_model(url) as server:
        for title in list(titles)[:limit]:
            if title not in kept:
                kept.add(title, changes.compare(server, them, title))


class _ResultStore:
    """Completed results, in a file that grows line by line."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known = {one["key"] for one in _rows(file)}

    def __contains__(self, key: str) -> bool:
        return key in self._known

    def add(self, key: str, row: Done) -> None:
        self._known.add(key)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key} | row, ensure_ascii=False) + "\n")
        print(f"{self._file.stem}: {key[:100]!r}", flush=True)


def _rows(file: Path) -> list[Done]:
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def _print(name: str, part: str, counts: Counter[str]) -> None:
    print(f"{name}, {part}: " + "; ".join(f"{key} {count}" for key, count in counts.items()))
