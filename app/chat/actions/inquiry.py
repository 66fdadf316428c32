"""The action `inquire`: a question, answered from the documents; without a model a search of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic import BaseModel, Field

from app.chat.actions.material import PATH, Material, extend, gather_material, search_passages
from app.chat.claims.body import SCORES, DraftClaims, Markers, confidence_of, empty_reply, reply_of
from app.chat.claims.certificate import ClaimReply, claims_of
from app.chat.claims.formula import EXAMPLES
from app.chat.claims.proof import Proof, prove_claims
from app.chat.claims.sources import Sources, SourceSpan
from app.chat.model_request import UNAVAILABLE, build_request, new_sections, shorten
from app.chat.output.markdown import cell, escape_markdown
from app.chat.tools import ActionRequest, Tools
from app.domain.chat import Evidence, Reply
from app.domain.knowledge import Confidence
from app.llm.port import Model, ModelRequest
from app.text import patterns

ROUNDS = 2  # in which a model may ask for more
NO_DOCUMENTS = "There are no documents to answer from yet."
SEARCHING = "The model broke off its answer: searching the documents instead."
LOOKING = "Looking for more in the documents."
NOT_SAID = "The documents do not answer this."
LONG = "Your message is long: its beginning and its end were read."
LONGEST_MISSING = 400  # characters
_FIGURE = patterns.compile(r"\d+")
TEMPLATE = "inquiring.v3"
PURPOSE = "inquire"
ABOUT = "What is this about?"  # of documents that were tagged without a word
MOST_CLAIMS = 15
_OFTEN = {1: "once", 2: "twice"}
MAX_OUTPUT = 3_500  # tokens: fifteen claims with their quotes
LONGEST_QUESTION = 4_000  # characters, from both ends
MOST_TURNS, LONGEST_TURN = 4, 800


class Answer(BaseModel):
    """What a model says: claims, or that the passages do not answer, or what it needs to see first. The
    language stands first, since claims are certified while the rest is written.
    """

    language: str = ""
    claims: list[ClaimReply] = Field(default_factory=list)
    answered: bool = True
    missing: str = ""
    search: list[str] = Field(default_factory=list)
    read: list[str] = Field(default_factory=list)
    listed: bool = False
    conflicting: bool = False
    confidence: Confidence = "medium"


async def inquire_documents(
    asked: ActionRequest, tools: Tools, web: Sequence[Evidence] = ()
) -> Reply:
    """The answer, each claim of which is certified; a search if there is no model, or it is away. A score of
    0 means that the documents do not answer. Results of the `web` are cited apart. Raises `StoreUnavailable`.
    """
    if tools.model is None:
        return await answer_from_search(asked, tools)
    material = await gather_material(asked, tools, web)
    if len(asked.plain.strip()) > LONGEST_QUESTION:
        material.notices.append(LONG)
    if material.nothing and not material.evidence:
        return empty_reply(NO_DOCUMENTS, material.notices)
    try:
        said, draft = await _ask_model(asked, tools, tools.model, material)
    except UNAVAILABLE as error:
        await tools.draft.restart(SEARCHING)
        why = f"The model could not be asked: {error.detail}"
        return await answer_from_search(asked, tools, (*material.notices, why))
    proof = await prove_claims(
        claims_of(said.claims[:MOST_CLAIMS]),
        draft.sources,
        tools.model,
        purpose=PURPOSE,
        material=material.prompt,
        question=asked.question,
        language=said.language,
        checked=draft.show,
    )
    return _reply(said, proof, material, asked)


async def _ask_model(
    asked: ActionRequest, tools: Tools, model: Model, material: Material
) -> tuple[Answer, DraftClaims]:
    """The answer once the model has seen what it asked for, and the draft of it."""
    left = 0 if material.whole and not material.others else ROUNDS
    while True:
        await tools.draft.restart(LOOKING)
        draft = DraftClaims(
            tools.draft, Sources(material.evidence), question=asked.question, most=MOST_CLAIMS
        )
        call = answer_request(asked, material, rounds=left)
        said = await model.ask(replace(call, on_partial=draft.update))
        wants = said.search or said.read
        if not left or not wants or (said.answered and said.claims):
            return said, draft
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
    """What is missing, in the question's language. Nothing certifies it, so a figure that is not the
    question's rules it out.
    """
    text = " ".join(said.missing.split())[:LONGEST_MISSING]
    known = set(_FIGURE.findall(f"{asked.plain} {asked.question}"))
    return escape_markdown(text) if text and set(_FIGURE.findall(text)) <= known else NOT_SAID


def answer_request(
    asked: ActionRequest, material: Material, *, rounds: int
) -> ModelRequest[Answer]:
    """The call; `rounds` is how often the model may still ask for more."""
    write = new_sections()
    plain = " ".join(asked.plain.split())
    standing = " ".join(asked.standalone.split())
    turns = [f"{one.role}: {one.text[:LONGEST_TURN]}" for one in asked.earlier[-MOST_TURNS:]]
    seen = f"You see {'all' if material.whole else 'a part'} of these documents."
    others = " There are others." if material.whole and material.others else ""
    may = f" You may ask for more, {_OFTEN[rounds]}." if rounds else " You may not ask for more."
    question = shorten(asked.plain.strip() or ABOUT, LONGEST_QUESTION)
    return build_request(
        TEMPLATE,
        Answer,
        [
            material.prompt(write),
            write.fenced_section("The conversation before", *turns),
            # Titles that were tagged, and what the question refers to, come from documents and models.
            write.fenced_section(
                "The question as it stands for itself", standing if standing != plain else ""
            ),
            f"{seen}{others}{may if others or not material.whole else ''}",
            write.trusted_section("Question", question),
        ],
        purpose=PURPOSE,
        max_output_tokens=MAX_OUTPUT,
        blanks=EXAMPLES | {"claims": str(MOST_CLAIMS)},
    )


SEARCH = "Without a model this is a search of your documents: the passages that are closest to your question."
NOTHING = "Without a model this is a search: no passage of the documents is close to your question."
NONE_TO_SEARCH = "There are no documents to search yet."
MOST = 6  # passages
CLOSE = 0.25  # of the best score: what is further below is about something else
LONGEST = 3_000  # characters of a passage; rows of a table are shown whole
_RULE = patterns.compile(r"[\s|:-]+")


async def answer_from_search(
    asked: ActionRequest, tools: Tools, notices: Sequence[str] = ()
) -> Reply:
    """The best passages, word for word, each under its document and section. Raises `StoreUnavailable`."""
    material = Material()
    await search_passages(asked.question, asked, tools, material)
    found = sorted(material.evidence, key=lambda one: -one.score)
    best = found[0].score if found else 0.0
    shown = [one for one in found if one.score >= CLOSE * best][:MOST]
    if not shown:
        empty = not asked.documents and not await tools.documents.titles(tools.tenant)
        text = NONE_TO_SEARCH if empty else NOTHING
        return empty_reply(text, notices)
    parts: list[str] = []
    markers = Markers()
    for one in shown:
        lines = list(_fitting_lines(one.text))
        marker = markers.of([SourceSpan(one, "\n".join(lines), one.heading_path)])
        quote = "\n".join(f"> {line}" for line in _table(lines))
        path = (one.title, *(part for part in one.heading_path if part != one.title))
        page = f", page {one.page}" if one.page is not None else ""
        parts.append(f"**{escape_markdown(PATH.join(path))}**{page} {marker}\n\n{quote}")
    return Reply(
        text="\n\n".join((SEARCH, *parts)),
        citations=tuple(markers.citations),
        confidence=confidence_of(best),
        score=max(best, 0.01),
        notices=tuple(notices),
    )


def _fitting_lines(text: str) -> Iterator[str]:
    length = 0
    for line in text.splitlines():
        if length and length + len(line) > LONGEST:
            return
        length += len(line)
        yield line if "|" in line else line[:LONGEST]


def _table(lines: Sequence[str]) -> Iterator[str]:
    """The lines as Markdown that shows them as they read; rows of a table stay rows."""
    for line in lines:
        if not (line.startswith("|") and line.rstrip().endswith("|") and len(line) > 1):
            yield escape_markdown(line)
        elif _RULE.fullmatch(line):
            yield line
        else:
            yield f"| {' | '.join(cell(one) for one in line.strip().strip('|').split('|'))} |"
