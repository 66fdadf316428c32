"""Whole documents as what they state, for actions that hold them against each other or against a text."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from app.chat.evidence import Citing, Claim, from_parts
from app.chat.evidence.claims import Cited
from app.chat.evidence.markdown import plain
from app.chat.statements.reading import Statement, statements_of, tongue_of
from app.chat.tools import Tools
from app.domain.chat import DocumentRef, Evidence
from app.engines.embedder import Vectors
from app.errors import NotFound
from knowledge.port import Part

MOST_PASSAGES = 400  # of one document that are read; some 150 pages, a quarter of a second
LONGEST_SHOWN = 260  # characters of a sentence in an answer
LANGUAGES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "he": "Hebrew", "it": "Italian",
    "nl": "Dutch", "pt": "Portuguese", "pl": "Polish", "ru": "Russian", "ar": "Arabic",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Held:
    """A document with its passages in their order. `language` is a code, "" where it is not told; `vectors`
    has one row of unit length for each passage, None where not all have one of the same `model`. `cut`: it
    is longer than what is here.
    """

    document: DocumentRef
    passages: tuple[Evidence, ...]
    statements: tuple[Statement, ...]
    language: str = ""
    vectors: Vectors | None = None
    model: str = ""
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """The documents that hold text, and what is to be told of the others."""

    held: tuple[Held, ...]
    notices: tuple[str, ...] = ()


async def opened(
    documents: Iterable[DocumentRef], tools: Tools, wanted: frozenset[str] | None = None
) -> Opened:
    """Each read whole, the first `MOST_PASSAGES` of it; of `wanted` passages alone where any are named.
    One that
    is deleted meanwhile, or empty, is told of.
    """
    held: list[Held] = []
    notices: list[str] = []
    first = 1
    for document in dict.fromkeys(documents):
        try:
            parts = await tools.documents.parts(tools.tenant, document.id)
        except NotFound:
            notices.append(f"“{document.title}” is not there any more: it was left out.")
            continue
        one = await asyncio.to_thread(_held, document, parts, wanted, first)
        if not one.statements:
            notices.append(f"“{document.title}” holds no text that could be read: it was left out.")
            continue
        if one.cut:
            notices.append(
                f"“{document.title}” is long: its first {MOST_PASSAGES} passages were read."
            )
        held.append(one)
        first += len(one.passages)
    return Opened(tuple(held), tuple(notices))


def _held(
    document: DocumentRef, parts: Sequence[Part], wanted: frozenset[str] | None, first: int
) -> Held:
    there = [one for one in parts if one.superseded_by is None]
    if wanted is not None:
        there = [one for one in there if one.chunk.chunk_id in wanted]
    kept = there[:MOST_PASSAGES]
    passages = from_parts(document, kept, first=first)
    language = next((one.chunk.language for one in kept if one.chunk.language), "") or ""
    language = language.lower().partition("-")[0]
    tongue = language or tongue_of(one.text for one in passages[:20])
    return Held(
        document,
        passages,
        tuple(_once(said for one in passages for said in statements_of(one, tongue))),
        language,
        _vectors(kept),
        kept[0].chunk.model if kept else "",
        len(there) > len(kept),
    )


def _once(statements: Iterable[Statement]) -> Iterable[Statement]:
    """No sentence twice: neighbouring passages may repeat the line of their list."""
    seen = set[tuple[str, str]]()
    for one in statements:
        key = (one.text.casefold(), one.lead)
        if key not in seen:
            seen.add(key)
            yield one


def _vectors(parts: Sequence[Part]) -> Vectors | None:
    rows = [part.chunk.vector for part in parts]
    models = {part.chunk.model for part in parts}
    if (
        len(models) != 1
        or not all(rows)
        or len({len(row) for row in rows}) != 1
        or len(rows[0]) % 4
    ):
        return None
    return np.frombuffer(b"".join(rows), dtype="<f4").reshape(len(rows), -1).astype(np.float32)


def quoted(citing: Citing, statement: Statement) -> str | None:
    """The statement in its own words with its marker, as Markdown; None where its passage does not hold
    it.
    """
    said = shortened(statement.text)
    quote = shortened(statement.quote or statement.text).removesuffix(" …")
    return marked(citing, Claim(said.removesuffix(" …"), (Cited(statement.ref, quote),)), said)


def marked(citing: Citing, claim: Claim, shown: str = "") -> str | None:
    """The claim with its markers, as it was checked: what Markdown or HTML would hide is not shown either.
    `shown` are words of a document instead.
    """
    cited = citing.cited(claim)
    if cited is None or not shown:
        return cited
    at = len(cited)
    while (begin := cited.rfind("[", 0, at)) >= 0 and cited[begin:at].strip("[] ").isdigit():
        at = begin
    return f"{plain(shown)} {cited[at:].strip()}"


def shortened(text: str, most: int = LONGEST_SHOWN) -> str:
    """At most so many characters, cut between words."""
    if len(text) <= most:
        return text
    return text[:most].rsplit(" ", 1)[0].rstrip(",;: ") + " …"


def language_named(code: str) -> str:
    """A language by its English name."""
    return LANGUAGES.get(code, f"the language “{code}”")
