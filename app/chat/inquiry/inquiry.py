"""The action `inquire`."""

from collections.abc import Sequence
from dataclasses import replace

from app.chat.claims import Sources, claims_of
from app.chat.claims.body import Body, body_of
from app.chat.claims.pending import Pending
from app.chat.claims.proof import proved
from app.chat.inquiry.material import Material, extend, gathered
from app.chat.inquiry.model import LONGEST_QUESTION, MOST_CLAIMS, PURPOSE, Answer, request
from app.chat.inquiry.search import searched
from app.chat.markdown import plain
from app.chat.tools import Asked, Tools
from app.domain.chat import Evidence, Reply
from app.domain.knowledge import Confidence
from app.errors import BudgetReached, ModelFailed
from app.llm.port import Model
from app.text import patterns

ROUNDS = 2  # in which a model may ask for more
NO_DOCUMENTS = "There are no documents to answer from yet."
SEARCHING = "The model broke off its answer: searching the documents instead."
LOOKING = "Looking for more in the documents."
NOT_SAID = "The documents do not answer this."
LONG = "Your message is long: its beginning and its end were read."
LONGEST_MISSING = 400  # characters
_SCORES: dict[Confidence, float] = {"high": 1.0, "medium": 0.75, "low": 0.5}
_FIGURE = patterns.compile(r"\d+")


async def inquire(asked: Asked, tools: Tools, web: Sequence[Evidence] = ()) -> Reply:
    """The answer, each claim of which is certified; a search where there is no model, or it is away. A score
    of 0 says that the documents do not answer. Results of the `web` are cited apart. Raises
    `StoreUnavailable`.
    """
    if tools.model is None:
        return await searched(asked, tools)
    material = await gathered(asked, tools, web)
    if len(asked.plain.strip()) > LONGEST_QUESTION:
        material.notices.append(LONG)
    if material.nothing and not material.evidence:
        return Reply(
            text=NO_DOCUMENTS, confidence="low", score=0.0, notices=tuple(material.notices)
        )
    try:
        said, pending = await _said(asked, tools, tools.model, material)
    except (ModelFailed, BudgetReached) as error:
        await tools.draft.restart(SEARCHING)
        why = f"The model could not be asked: {error.detail}"
        return await searched(asked, tools, (*material.notices, why))
    proof = await proved(
        claims_of(said.claims[:MOST_CLAIMS]),
        Sources(material.evidence),
        tools.model,
        purpose=PURPOSE,
        material=material.prompt,
        question=asked.question,
        language=said.language.partition("-")[0].casefold(),
        checked=pending.checked,
    )
    body = body_of(proof, listed=said.listed)
    notices = (*material.notices, *proof.notices)
    return _reply(said, body, material, asked, notices, unread=bool(proof.notices))


async def _said(
    asked: Asked, tools: Tools, model: Model, material: Material
) -> tuple[Answer, Pending]:
    """What the model says once it has seen what it asked for, and what is told of it."""
    left = 0 if material.whole and not material.others else ROUNDS
    while True:
        await tools.draft.restart(LOOKING)
        pending = Pending(
            tools.draft, Sources(material.evidence), question=asked.question, most=MOST_CLAIMS
        )
        call = request(asked, material, rounds=left)
        said = await model.ask(replace(call, heard=pending.heard))
        wants = said.search or said.read
        if not left or not wants or (said.answered and said.claims):
            return said, pending
        await extend(said.search, said.read, asked, tools, material)
        left -= 1


def _reply(
    said: Answer,
    body: Body,
    material: Material,
    asked: Asked,
    notices: Sequence[str],
    *,
    unread: bool,
) -> Reply:
    answered = said.answered and (body.own or body.web)
    missing = "" if answered else _missing(said, asked)
    sure: Confidence = said.confidence
    if body.doubts or body.unsupported or unread:
        sure = "medium" if sure == "high" and answered else "low"
    return Reply(
        text="\n\n".join(filter(None, (missing, body.text))),
        citations=body.citations,
        confidence=sure,
        score=_SCORES[sure] if answered else 0.0,
        by_model=True,
        claims=body.claims,
        unsupported=body.unsupported,
        doubts=body.doubts,
        doubted=len(body.doubts),
        looked=() if answered else tuple(material.looked),
        conflicting=said.conflicting,
        notices=tuple(notices),
    )


def _missing(said: Answer, asked: Asked) -> str:
    """What is not there, as the model says it in the question's language. Nothing certifies it, so it may
    bring no figure that the question has not.
    """
    text = " ".join(said.missing.split())[:LONGEST_MISSING]
    known = set(_FIGURE.findall(f"{asked.plain} {asked.question}"))
    return plain(text) if text and set(_FIGURE.findall(text)) <= known else NOT_SAID
