"""What a person is told beside a summary."""

from collections.abc import Iterator, Sequence

from app.chat.summarizing.length import Length
from app.chat.summarizing.sources import MOST_DOCUMENTS, Gathered
from app.domain.chat import DocumentRef

MOSTLY = 0.6  # of a document's tokens that stand in tables
MOST_NAMED = 5


def notices(found: Gathered, lengths: Sequence[Length | None]) -> tuple[str, ...]:
    """What was left out, and why, a sentence each."""
    return tuple(_notices(found, lengths))


def missing(found: Gathered) -> str:
    """What is answered where no document is there."""
    if found.gone:
        several = len(found.gone) > 1
        return f"{named(found.gone)} {'are' if several else 'is'} no longer among the documents."
    return "There is no document to summarize: tag one with @."


def named(documents: Sequence[DocumentRef]) -> str:
    """Their titles; the first of many."""
    titles = [f"\u201c{one.title or one.id}\u201d" for one in documents[:MOST_NAMED]]
    more = len(documents) - len(titles)
    return ", ".join(titles) + (f" and {more} more" if more > 0 else "")


def _notices(found: Gathered, lengths: Sequence[Length | None]) -> Iterator[str]:
    if found.left:
        taken = ", ".join(f"\u201c{one.document.title}\u201d" for one in found.sources)
        yield f"Only {MOST_DOCUMENTS} documents are summarized at once. These were taken: {taken}."
    if found.gone:
        yield missing(found)
    for source in found.sources:
        title = f"\u201c{source.document.title}\u201d"
        if source.sampled:
            yield (
                f"{title} has {source.whole:,} passages; {len(source.passages):,} of them, spread evenly "
                "over its sections, were read."
            )
        if source.tables > MOSTLY:
            yield f"{title} is mostly tables: ask for a value to look it up in them."
    left = [
        source.document for source, length in zip(found.sources, lengths, strict=True) if not length
    ]
    if left:
        yield f"The length that was asked for has no room for {named(left)}."
