"""The action `inquire`."""

from collections.abc import Sequence

from app.chat.evidence import Citing
from app.chat.inquiring.asking import Inquiring, claims_of, request
from app.chat.inquiring.extracting import SURE, UNSURE, as_reply, extracted
from app.chat.inquiring.question import question_of
from app.chat.inquiring.saying import phrases
from app.chat.tools import Asked, Tools
from app.domain.chat import Evidence, Reply
from app.domain.knowledge import Confidence
from app.errors import BudgetReached, ModelFailed
from app.text import patterns

FROM_THE_WEB = "From the web"
NOTHING_HELD = "What the model said is not in the documents; this is taken from them as it stands."
_LAST = patterns.compile(r"(?:\[\d+\])+$")
_MARKERS = patterns.compile(r"\d+")
_ORDER: tuple[Confidence, ...] = ("low", "medium", "high")


async def inquire(asked: Asked, tools: Tools) -> Reply:
    """The reply, every claim of which is cited; extractive without a model. Results of the web are asked of
    a model only where the documents are weak, and cited apart.
    """
    evidence = asked.passages + (asked.web if asked.score < UNSURE else ())
    notices: list[str] = []
    if tools.model is not None and evidence:
        try:
            said = await tools.model.ask(request(asked, evidence))
        except (ModelFailed, BudgetReached) as error:
            notices.append(f"The model could not be asked: {error.detail}")
        else:
            if (reply := _checked(said, evidence, asked)) is not None:
                return reply
            notices.append(NOTHING_HELD)
    found = extracted(question_of(asked), asked.passages, asked.score, tools.embedder)
    return as_reply(found, asked.score, notices)


def _checked(said: Inquiring, evidence: Sequence[Evidence], asked: Asked) -> Reply | None:
    """What of it the passages hold; None where it answered and nothing does."""
    claims = claims_of(said)
    if not said.answered:
        return Reply(
            text=phrases(asked.plain).not_said,
            confidence=_lower("medium", said.confidence),
            score=asked.score,
            by_model=True,
        )
    citing = Citing(evidence)
    own: list[str] = []
    web: list[str] = []
    for text in citing.all(claims):
        markers = {int(one) for one in _MARKERS.findall(_LAST.findall(text)[-1])}
        kinds = {one.kind for one in citing.citations if one.marker in markers}
        (web if kinds == {"web"} else own).append(text)
    if not own and not web:
        return None
    parts = [" ".join(own) or phrases(asked.plain).not_said]
    if web:
        parts.append(f"**{FROM_THE_WEB}**\n\n{' '.join(web)}")
    return Reply(
        text="\n\n".join(parts),
        citations=tuple(citing.citations),
        confidence=_confidence(said.confidence, asked, citing.dropped),
        score=asked.score,
        by_model=True,
        dropped=citing.dropped,
    )


def _confidence(said: Confidence, asked: Asked, dropped: int) -> Confidence:
    """Never more than the model says of itself, than the search found, or than what was left out allows."""
    found: Confidence = (
        "high" if asked.score >= SURE else "medium" if asked.score >= UNSURE else "low"
    )
    return _lower(said, found, "medium" if dropped else "high")


def _lower(*given: Confidence) -> Confidence:
    return min(given, key=_ORDER.index)
