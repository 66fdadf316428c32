"""The action `inquire`."""

from collections.abc import Sequence
from dataclasses import replace

from app.chat.claims import Sources, claims_of
from app.chat.claims.body import SCORES, empty_reply, reply_of
from app.chat.claims.draft_claims import DraftClaims
from app.chat.claims.proof import Proof, prove_claims
from app.chat.inquiry.material import Material, extend, gather_material
from app.chat.inquiry.model import LONGEST_QUESTION, MOST_CLAIMS, PURPOSE, Answer, request
from app.chat.inquiry.search import answer_from_search
from app.chat.output.markdown import escape_markdown
from app.chat.tools import ActionRequest, Tools
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
_FIGURE = patterns.compile(r"\d+")


async def inquire(asked: ActionRequest, tools: Tools, web: Sequence[Evidence] = ()) -> Reply:
    """The answer, each claim of which is certified; a search where there is no model, or it is away. A score
    of 0 says that the documents do not answer. Results of the `web` are cited apart. Raises
    `StoreUnavailable`.
    """
    if tools.model is None:
        return await answer_from_search(asked, tools)
    material = await gather_material(asked, tools, web)
    if len(asked.plain.strip()) > LONGEST_QUESTION:
        material.notices.append(LONG)
    if material.nothing and not material.evidence:
        return empty_reply(NO_DOCUMENTS, material.notices)
    try:
        said, told = await _ask_model(asked, tools, tools.model, material)
    except (ModelFailed, BudgetReached) as error:
        await tools.draft.restart(SEARCHING)
        why = f"The model could not be asked: {error.detail}"
        return await answer_from_search(asked, tools, (*material.notices, why))
    proof = await prove_claims(
        claims_of(said.claims[:MOST_CLAIMS]),
        told.sources,
        tools.model,
        purpose=PURPOSE,
        material=material.prompt,
        question=asked.question,
        language=said.language,
        checked=told.show_checked,
    )
    return _reply(said, proof, material, asked)


async def _ask_model(
    asked: ActionRequest, tools: Tools, model: Model, material: Material
) -> tuple[Answer, DraftClaims]:
    """What the model says once it has seen what it asked for, and what is told of it."""
    left = 0 if material.whole and not material.others else ROUNDS
    while True:
        await tools.draft.restart(LOOKING)
        told = DraftClaims(
            tools.draft, Sources(material.evidence), question=asked.question, most=MOST_CLAIMS
        )
        call = request(asked, material, rounds=left)
        said = await model.ask(replace(call, on_partial=told.update))
        wants = said.search or said.read
        if not left or not wants or (said.answered and said.claims):
            return said, told
        await extend(said.search, said.read, asked, tools, material)
        left -= 1


def _reply(said: Answer, proof: Proof, material: Material, asked: ActionRequest) -> Reply:
    reply = reply_of(proof, listed=said.listed)
    answered = bool(said.answered and reply.text)
    missing = "" if answered else _missing(said, asked)
    sure: Confidence = said.confidence
    if reply.doubts or reply.unsupported or proof.notices:
        sure = "medium" if sure == "high" and answered else "low"
    return reply.model_copy(
        update={
            "text": "\n\n".join(filter(None, (missing, reply.text))),
            "confidence": sure,
            "score": SCORES[sure] if answered else 0.0,
            "searched": () if answered else tuple(material.looked),
            "conflicting": said.conflicting,
            "notices": (*material.notices, *proof.notices),
        }
    )


def _missing(said: Answer, asked: ActionRequest) -> str:
    """What is not there, as the model says it in the question's language. Nothing certifies it, so it may
    bring no figure that the question has not.
    """
    text = " ".join(said.missing.split())[:LONGEST_MISSING]
    known = set(_FIGURE.findall(f"{asked.plain} {asked.question}"))
    return escape_markdown(text) if text and set(_FIGURE.findall(text)) <= known else NOT_SAID
