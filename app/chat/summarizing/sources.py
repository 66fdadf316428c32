"""The documents that are to be summarized, read whole."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.evidence import from_parts
from app.chat.tools import Asked, Tools
from app.domain.chat import DocumentRef, Evidence
from app.errors import NotFound
from knowledge.port import Part

MOST_DOCUMENTS = 10
MOST_PASSAGES = 1_500  # read of one reply's documents: half a second; a book of 700 pages


@dataclass(frozen=True, slots=True)
class Source:
    """A document with its passages in order; of `whole` passages these were read. `tables` is the part of
    its tokens that stands in tables, `tokens` how long it is.
    """

    document: DocumentRef
    passages: tuple[Evidence, ...]
    whole: int
    tokens: int
    tables: float = 0.0

    @property
    def sampled(self) -> bool:
        """Whether only some of it was read."""
        return len(self.passages) < self.whole


@dataclass(frozen=True, slots=True)
class Gathered:
    """What there is; `gone` were deleted since, `left` are beyond `MOST_DOCUMENTS`."""

    sources: tuple[Source, ...]
    gone: tuple[DocumentRef, ...] = ()
    left: tuple[DocumentRef, ...] = ()


async def gathered(asked: Asked, tools: Tools) -> Gathered:
    """The documents that are meant, none twice; those that are no longer there are named."""
    named = list({one.id: one for one in asked.documents}.values())
    kept: list[tuple[DocumentRef, Sequence[Part]]] = []
    gone: list[DocumentRef] = []
    for document in named[:MOST_DOCUMENTS]:
        try:
            parts = await tools.documents.parts(tools.tenant, document.id)
        except NotFound:
            gone.append(document)
        else:
            kept.append((document, [one for one in parts if one.superseded_by is None]))
    return Gathered(_sources(kept), tuple(gone), tuple(named[MOST_DOCUMENTS:]))


def _sources(kept: list[tuple[DocumentRef, Sequence[Part]]]) -> tuple[Source, ...]:
    every = sum(len(parts) for _, parts in kept)
    made: list[Source] = []
    first = 1
    for document, parts in kept:
        most = len(parts) if every <= MOST_PASSAGES else max(1, MOST_PASSAGES * len(parts) // every)
        passages = from_parts(document, spread(parts, most), first=first)
        first += len(passages)
        tokens = sum(one.chunk.tokens for one in parts)
        tables = sum(one.chunk.tokens for one in parts if one.chunk.kind == "table")
        made.append(
            Source(document, passages, len(parts), tokens, tables / tokens if tokens else 0.0)
        )
    return tuple(made)


def spread(parts: Sequence[Part], most: int) -> list[Part]:
    """At most so many, evenly: the first of each section as far as they go, then every n-th."""
    if len(parts) <= most:
        return list(parts)
    heads = [
        at
        for at, part in enumerate(parts)
        if not at or part.chunk.heading_path != parts[at - 1].chunk.heading_path
    ]
    taken = set(_evenly(heads, most // 2))
    rest = [at for at in range(len(parts)) if at not in taken]
    taken |= set(_evenly(rest, most - len(taken)))
    return [parts[at] for at in sorted(taken)]


def _evenly(places: list[int], most: int) -> list[int]:
    if len(places) <= most:
        return places
    return [places[at * len(places) // most] for at in range(most)]
