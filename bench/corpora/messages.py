"""Messages to a chat that knows the corpus: for which does it ask a clarifying question."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from app.chat.documents.mentions import parse_mentions
from app.chat.documents.titles import Listing
from app.domain.knowledge import DEFAULT_SET, DocumentTitle
from app.llm.port import Model
from bench.chat.intent import TOOLS, resolve_message
from bench.chat.messages import Labelled
from bench.corpora.sets import Corpus, Row

THEN = datetime(2026, 11, 1, tzinfo=UTC)


async def understand(corpus: Corpus, row: Row, model: Model) -> dict[str, Any]:
    """Resolve a message; `asked`: whether a clarifying question is asked."""
    listing = Listing(
        titles=tuple(
            DocumentTitle(
                document_id=f"d{at}",
                title=title,
                source=title,
                set_name=DEFAULT_SET,
                ingested_at=THEN + timedelta(minutes=at),
            )
            for at, title in enumerate(corpus.sources)
        ),
        registry={},
        last=(),
    )
    one = Labelled(
        text=row["text"],
        message=row["text"],
        tagged=parse_mentions(None, row["text"]),
        earlier=(),
        listing=listing,
        actions=frozenset(),
        documents=(),
        web=None,
    )
    made = await resolve_message(one, replace(TOOLS, model=model))
    return {
        "asked": row["text"],
        "ambiguous": row.get("ambiguous", False),
        "asks": made.asks_action or made.asks_document or bool(made.resolution.unresolved),
        "action": made.action,
        "documents": [each.title for each in made.resolution.resolved],
        "unknown": list(made.resolution.unresolved),
    }


def counted(rows: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Sum up over messages."""
    counts: Counter[str] = Counter()
    for one in rows:
        kind = "ambiguous" if one["ambiguous"] else "clear"
        counts[kind] += 1
        counts[f"{kind} asked"] += one["asks"]
    return counts
