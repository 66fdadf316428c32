"""Load the labelled messages: what a colleague would understand by each."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from app.chat.documents.mentions import TaggedMessage, parse_mentions
from app.chat.documents.titles import Listing
from app.domain.chat import ChatTurn, DocumentRef
from app.domain.knowledge import DEFAULT_SET, DocumentTitle

FOLDER = Path(__file__).parents[1] / "data"
SETS = {
    "tuned on": "chat_messages.json",
    "tuned on, two": "chat_messages_two.json",
    "kept apart": "chat_messages_held.json",
    "kept apart, two": "chat_messages_two_held.json",
}
THEN = datetime(2026, 11, 1, tzinfo=UTC)

Documents = str | frozenset[str]
"""Titles, or "all" where no particular one is meant, or "ask" where it is to be asked which."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A message as the graph receives it, and its label: `actions` may contain "ask", `documents` are the
    right outcomes, `web` is None if either is right.
    """

    text: str
    message: str
    tagged: TaggedMessage
    earlier: tuple[ChatTurn, ...]
    listing: Listing
    actions: frozenset[str]
    documents: tuple[Documents, ...]
    web: bool | None


def labelled(file: str) -> list[Labelled]:
    """All messages of a file."""
    held = json.loads((FOLDER / file).read_text("utf-8"))
    libraries = {name: _titled(name, them) for name, them in held["libraries"].items()}
    return [_labelled(row, libraries[row["titles"]]) for row in held["messages"]]


def _titled(library: str, documents: Sequence[dict[str, str]]) -> tuple[DocumentTitle, ...]:
    """The titles in an order that does not reveal which is the newer edition."""
    found = [
        DocumentTitle(
            document_id=f"{library}-{at}",
            title=one["title"],
            source=one["title"],
            set_name=one.get("set", DEFAULT_SET),
            ingested_at=THEN + timedelta(minutes=_shuffled(one["title"])),
        )
        for at, one in enumerate(documents)
    ]
    return tuple(sorted(found, key=lambda one: one.ingested_at, reverse=True))


def _shuffled(title: str) -> int:
    return int(hashlib.sha256(title.encode()).hexdigest(), 16) % 100_000


def _labelled(row: dict[str, Any], titles: tuple[DocumentTitle, ...]) -> Labelled:
    ids = {one.title: one.document_id for one in titles}
    earlier = tuple(_turned(at, line, ids) for at, line in enumerate(row["earlier"]))
    message, tiptap = _typed(row["message"], row["mentions"])
    expect = row["expect"]
    outcomes = [expect["documents"], *expect.get("or_documents", ())]
    return Labelled(
        text=row["message"],
        message=message,
        tagged=parse_mentions(tiptap, message),
        earlier=earlier,
        listing=Listing(
            titles=titles,
            registry={one.title: one.id for line in earlier for one in line.documents},
            last=next((line.documents for line in reversed(earlier) if line.documents), ()),
        ),
        actions=frozenset(expect["action"]),
        documents=tuple(one if isinstance(one, str) else frozenset(one) for one in outcomes),
        web=expect["web"],
    )


def _turned(at: int, line: dict[str, Any], ids: dict[str, str]) -> ChatTurn:
    about = tuple(DocumentRef(id=ids[title], title=title) for title in line["documents"])
    return ChatTurn(message_id=str(at), role=line["role"], text=line["text"], documents=about)


def _typed(text: str, mentions: Sequence[dict[str, str]]) -> tuple[str, dict[str, Any] | None]:
    """The text with mentions as their labels, and the editor's document; None for plain text."""
    if not mentions:
        return text, None
    known = {f"@{one['label']}": one for one in mentions}
    longest = sorted(known, key=len, reverse=True)
    pieces = re.split(f"({'|'.join(map(re.escape, longest))})", text)
    nodes = [_node(piece, known) for piece in pieces if piece]
    paragraph = {"type": "paragraph", "content": nodes}
    message = "".join(piece[1:] if piece in known else piece for piece in pieces)
    return message, {"type": "doc", "content": [paragraph]}


def _node(piece: str, known: dict[str, dict[str, str]]) -> dict[str, Any]:
    if piece not in known:
        return {"type": "text", "text": piece}
    one = known[piece]
    about = {"id": one["id"], "label": one["label"], "category": one["kind"]}
    return {"type": "mention", "attrs": about}
