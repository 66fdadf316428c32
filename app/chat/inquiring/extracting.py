"""An answer in the documents' own words, without a model."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.evidence import Cited, Citing, Claim, Sentence
from app.chat.inquiring.choosing import Block, blocks, nearest
from app.chat.inquiring.lacking import lacks
from app.chat.inquiring.question import Question
from app.chat.inquiring.ranking import Ranked, ranked, weighed
from app.chat.inquiring.saying import Phrases, phrases
from app.domain.chat import ChatCitation, Evidence, Reply
from app.domain.knowledge import Confidence
from app.engines.embedder import Embedder

# Of the question's words, by rarity: with less a sentence only stands near it.
ENOUGH, SOME = 0.75, 0.45
SURE, UNSURE = 0.85, 0.5  # scores of a search; see `app.domain.knowledge.Resolved`
# With less of it the passages are only near, unless a sentence speaks of most of what is asked. Set on the
# tuning questions of bench/knowledge_retrieval.py: a tenth of those that nothing answers may be answered.
ANSWERS = 0.22
SPOKEN = 0.05  # of the question's words that the best sentence has, where the search is unsure


@dataclass(frozen=True, slots=True, kw_only=True)
class Extract:
    """What was taken from the passages: the text with its markers, `said` where it is an answer and not
    only near one.
    """

    text: str
    citations: tuple[ChatCitation, ...] = ()
    confidence: Confidence = "low"
    said: bool = False
    dropped: int = 0


def extracted(
    question: Question,
    passages: Sequence[Evidence],
    score: float,
    embedder: Embedder | None = None,
) -> Extract:
    """Up to four quotes, or one list among them, the best first; `score` is how well the search found."""
    say = phrases(question.own)
    found = ranked(question, passages, embedder)
    if not found:
        return Extract(text=say.not_said)
    best = found[0]
    citing = Citing(passages)
    if not _answers(best, score) or lacks(question, passages):
        near = [citing.cited(_claim([one.sentence])) for one in nearest(found)]
        text = _nearest(list(filter(None, near)), say)
        return Extract(text=text, citations=tuple(citing.citations), dropped=citing.dropped)
    shown = blocks(found, question, weighed(question, passages))
    text = "\n\n".join(filter(None, (_written(block, citing) for block in shown)))
    return Extract(
        text=text or say.not_said,
        citations=tuple(citing.citations),
        confidence=_confidence(best, score) if text else "low",
        said=bool(text),
        dropped=citing.dropped,
    )


def as_reply(made: Extract, score: float, notices: Sequence[str] = ()) -> Reply:
    """The reply of an action."""
    return Reply(
        text=made.text,
        citations=made.citations,
        confidence=made.confidence,
        score=score,
        dropped=made.dropped,
        notices=tuple(notices),
    )


def _answers(best: Ranked, score: float) -> bool:
    """Whether the best sentence is an answer and not only near one: the search found well, or the sentence
    itself speaks of most of what is asked, and is of the kind that is asked for.
    """
    if score >= UNSURE or (best.covers >= ENOUGH and best.fits):
        return True
    return score >= ANSWERS and best.covers >= SPOKEN


def _confidence(best: Ranked, score: float) -> Confidence:
    if score >= SURE and best.covers >= ENOUGH and best.fits:
        return "high"
    return "medium" if score >= UNSURE and best.covers >= SOME else "low"


def _nearest(near: Sequence[str], say: Phrases) -> str:
    if len(near) < 2:
        return "\n\n".join((say.not_said, *(f"{say.nearest} {one}" for one in near)))
    return "\n\n".join((say.not_said, say.several, "\n".join(f"- {one}" for one in near)))


def _claim(some: Sequence[Sentence]) -> Claim:
    """Sentences that follow each other, cited by their own words."""
    text, quote = (
        " ".join(parts) for parts in zip(*((one.text, one.quote) for one in some), strict=True)
    )
    return Claim(text, (Cited(some[0].evidence.ref, quote),))


def _written(block: Block, citing: Citing) -> str:
    """Markdown of one block; what does not stand in one paragraph or item is cited by itself."""
    lines: list[str] = []
    for (_, item, kind), some in itertools.groupby(block.sentences, _place):
        sentences = list(some)
        told = _told(sentences, citing)
        if not told:
            continue
        below = block.listed or (bool(lines) and kind != "prose")
        mark = f"{item}." if block.listed and sentences[0].ordered else "-"
        lines.append(f"{mark} {told}" if below else told)
    return "\n".join(lines) if block.listed else _below(lines)


def _told(some: Sequence[Sentence], citing: Citing) -> str:
    """They are cited together, or where that does not hold each by itself."""
    together = citing.cited(_claim(some))
    if together is not None or len(some) == 1:
        return together or ""
    citing.dropped -= 1
    return " ".join(filter(None, (citing.cited(_claim([one])) for one in some)))


def _place(one: Sentence) -> tuple[int, int, str]:
    """What tells the paragraphs, items, rows and lines of code of a passage apart."""
    return one.block, one.item or (0 if one.kind == "prose" else -one.number), one.kind


def _below(lines: Sequence[str]) -> str:
    """A paragraph, and the list below it."""
    first = next((at for at, line in enumerate(lines) if line.startswith("- ")), len(lines))
    return "\n\n".join(filter(None, (" ".join(lines[:first]), "\n".join(lines[first:]))))
