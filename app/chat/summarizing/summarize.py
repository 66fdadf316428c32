"""The action `summarize`."""

import asyncio
from collections.abc import Sequence

from app.chat.evidence import Citing
from app.chat.summarizing.asking import Wanted, wanted
from app.chat.summarizing.drafting import Drafted, extracted
from app.chat.summarizing.length import Length
from app.chat.summarizing.modelling import modelled
from app.chat.summarizing.noticing import missing, notices
from app.chat.summarizing.sharing import shares
from app.chat.summarizing.sources import Gathered, Source, gathered
from app.chat.summarizing.units import units_of
from app.chat.summarizing.writing import headed, written
from app.chat.tools import Asked, Tools
from app.domain.chat import Reply
from app.domain.knowledge import Confidence

LITTLE = 0.3  # of the document: a summary that speaks of less is a glance
MOSTLY = 0.5  # of a document that is tables, or was not read


async def summarize(asked: Asked, tools: Tools) -> Reply:
    """The reply, every claim of which is cited; word for word without a model, or where what it claims
    does not hold.
    """
    found = await gathered(asked, tools)
    if not found.sources:
        return Reply(text=missing(found), confidence="low", score=0.0)
    want = wanted(asked.message, asked.plain)
    lengths = shares(want.length, found.sources)
    made = await modelled(
        tools.model, asked.plain or asked.message, found.sources, lengths, want.focus
    )
    drafted = made.drafted
    if drafted is None:
        drafted = await asyncio.to_thread(_extracted, found.sources, lengths, want, tools)
    citing = Citing([one for source in found.sources for one in source.passages])
    text = _text(citing, found.sources, drafted, lengths)
    return Reply(
        text=text,
        citations=tuple(citing.citations),
        confidence=_confidence(found, drafted, made.dropped),
        score=_score(found, drafted),
        by_model=made.drafted is not None,
        dropped=citing.dropped + made.dropped,
        notices=(*made.notices, *notices(found, lengths)),
    )


def _extracted(
    sources: Sequence[Source], lengths: Sequence[Length | None], want: Wanted, tools: Tools
) -> list[Drafted]:
    return [
        Drafted(())
        if length is None
        else extracted(
            units_of(source.passages),
            length,
            title=source.document.title,
            focus=want.focus,
            embedder=tools.embedder,
        )
        for source, length in zip(sources, lengths, strict=True)
    ]


def _text(
    citing: Citing,
    sources: Sequence[Source],
    drafted: Sequence[Drafted],
    lengths: Sequence[Length | None],
) -> str:
    parts = zip(sources, drafted, lengths, strict=True)
    texts = [(source, written(citing, source, one, length)) for source, one, length in parts]
    if len(texts) == 1:
        return texts[0][1]
    return "\n\n".join(headed(source, text) for source, text in texts)


def _confidence(found: Gathered, drafted: Sequence[Drafted], dropped: int) -> Confidence:
    lines = sum(len(one.lines) for one in drafted)
    if not lines or any(not one.passages for one in found.sources):
        return "low"
    odd = any(one.sampled or one.tables > MOSTLY for one in found.sources) or bool(found.gone)
    return "medium" if odd or dropped > lines or _score(found, drafted) < LITTLE else "high"


def _score(found: Gathered, drafted: Sequence[Drafted]) -> float:
    """The part of the documents that the summary speaks of."""
    weights = [max(one.tokens, 1) for one in found.sources]
    spoken = zip(weights, drafted, strict=True)
    return min(1.0, sum(weight * one.covered for weight, one in spoken) / sum(weights))
