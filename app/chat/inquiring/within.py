"""A question to documents that were named: a search of them alone is judged by what they hold, since how sure
a search is was set on whole libraries.
"""

from collections.abc import Sequence

from app.chat.evidence import from_parts
from app.chat.inquiring.found import WEAK, Retrieved
from app.chat.inquiring.question import Question
from app.chat.inquiring.ranking import weighed
from app.chat.tools import Tools
from app.domain.chat import DocumentRef, Evidence
from app.errors import NotFound

HOLDS = 0.6  # of the question's words, by rarity: with less the documents are about something else
FOUND_WORTH = 0.25  # what the rest of the words adds to the score
MOST = 8  # passages
MOST_DOCUMENTS, MOST_PARTS = 3, 60  # that are read whole where the search found nothing


async def within(
    found: Retrieved, question: Question, documents: Sequence[DocumentRef], tools: Tools
) -> Retrieved:
    """What was found, with a score of at least `WEAK` where a passage holds the question's rare words; of
    small documents all passages are looked at.
    """
    read = await _parts(documents, tools)
    passages = (*found.passages, *(one for one in read if not _among(one, found.passages)))
    weighing = weighed(question, passages)
    shares = [
        weighing.share(" ".join((*one.heading_path, one.text))) if weighing.weights else 0.0
        for one in passages
    ]
    best = max(shares, default=0.0)
    if best < HOLDS:
        return found
    score = WEAK + FOUND_WORTH * (best - HOLDS) / (1 - HOLDS)
    ordered = sorted(zip(shares, passages, strict=True), key=lambda pair: -pair[0])
    kept = [
        one.model_copy(update={"ref": f"P{at}", "score": max(one.score, score * share / best)})
        for at, (share, one) in enumerate(ordered[:MOST], 1)
        if share
    ]
    return Retrieved(passages=tuple(kept), confidence="medium", score=score)


def _among(part: Evidence, passages: Sequence[Evidence]) -> bool:
    """Whether a passage that was found holds it: those are joined of several."""
    return any(one.document_id == part.document_id and part.text in one.text for one in passages)


async def _parts(documents: Sequence[DocumentRef], tools: Tools) -> list[Evidence]:
    """All of them where they are small, none otherwise."""
    read: list[Evidence] = []
    for one in documents[: MOST_DOCUMENTS + 1]:
        try:
            parts = await tools.documents.parts(tools.tenant, one.id)
        except NotFound:
            continue
        read += from_parts(one, parts, first=len(read) + 1)
        if len(read) > MOST_PARTS:
            return []
    return read if len(documents) <= MOST_DOCUMENTS else []
