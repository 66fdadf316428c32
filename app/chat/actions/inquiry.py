"""The action `inquire`: answers a question from the documents; without a model it searches them."""

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

ROUNDS = 2  # in which a model may ask for more passages
NO_DOCUMENTS = "There are no documents to answer from yet."
SEARCHING = "The model broke off its answer: searching the documents instead."
LOOKING = "Looking for more in the documents."
NOT_ANSWERED = "The documents do not answer this."
LONG = "Your message is long: only its beginning and its end were read."
LONGEST_MISSING = 400  # characters
_FIGURE = patterns.compile(r"\d+")
TEMPLATE = "inquiring.v3"
PURPOSE = "inquire"
ABOUT = "What is this about?"  # if documents were tagged without text
MOST_CLAIMS = 15
_TIMES = {1: "once", 2: "twice"}
MAX_OUTPUT = 3_500  # tokens: fifteen claims with their quotes
LONGEST_QUESTION = 4_000  # characters, from both ends
MOST_TURNS, LONGEST_TURN = 4, 800


class Answer(BaseModel):
    """The model's reply: claims, or that the passages do not answer, or what it needs to see first. The
    language comes first, since claims are certified while the rest is written.
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
    request: ActionRequest, tools: Tools, web: Sequence[Evidence] = ()
) -> Reply:
    """An answer with certified claims, or a search if no model is available. A score of 0 means that the
    documents do not answer. `web` results are cited separately. Raises `StoreUnavailable`.
    """
    if tools.model is None:
        return await answer_from_search(request, tools)
    material = await gather_material(request, tools, web)
    if len(request.plain.strip()) > LONGEST_QUESTION:
        material.notices.append(LONG)
    if material.is_empty and not material.evidence:
        return empty_reply(NO_DOCUMENTS, material.notices)
    try:
        answer, draft = await _ask_model(request, tools, tools.model, material)
    except UNAVAILABLE as error:
        await tools.draft.restart(SEARCHING)
        why = f"The model could not be asked: {error.detail}"
        return await answer_from_search(request, tools, (*material.notices, why))
    proof = await prove_claims(
        claims_of(answer.claims[:MOST_CLAIMS]),
        draft.sources,
        tools.model,
        purpose=PURPOSE,
        material=material.prompt,
        question=request.question,
        language=answer.language,
        on_certified=draft.show,
    )
    return _reply(answer, proof, material, request)


async def _ask_model(
    request: ActionRequest, tools: Tools, model: Model, material: Material
) -> tuple[Answer, DraftClaims]:
    """The model's final answer, after it has seen what it asked for, and the draft of it."""
    rounds = 0 if material.whole and not material.others else ROUNDS
    while True:
        await tools.draft.restart(LOOKING)
        draft = DraftClaims(
            tools.draft, Sources(material.evidence), question=request.question, limit=MOST_CLAIMS
        )
        call = answer_request(request, material, rounds=rounds)
        answer = await model.ask(replace(call, on_partial=draft.update))
        wants_more = answer.search or answer.read
        if not rounds or not wants_more or (answer.answered and answer.claims):
            return answer, draft
        await extend(answer.search, answer.read, request, tools, material)
        rounds -= 1


def _reply(answer: Answer, proof: Proof, material: Material, request: ActionRequest) -> Reply:
    reply = reply_of(proof, listed=answer.listed)
    answered = bool(answer.answered and reply.text)
    missing = "" if answered else _missing(answer, request)
    confidence: Confidence = answer.confidence
    if reply.doubts or reply.unsupported or proof.notices:
        confidence = "medium" if confidence == "high" and answered else "low"
    return reply.model_copy(
        update={
            "text": "\n\n".join(filter(None, (missing, reply.text))),
            "confidence": confidence,
            "score": SCORES[confidence] if answered else 0.0,
            "searched": () if answered else tuple(material.searched),
            "conflicting": answer.conflicting,
            "notices": (*material.notices, *proof.notices),
        }
    )


def _missing(answer: Answer, request: ActionRequest) -> str:
    """What is missing, in the language of the question. Since nothing certifies it, it may contain no figures
    but those of the question.
    """
    text = " ".join(answer.missing.split())[:LONGEST_MISSING]
    known = set(_FIGURE.findall(f"{request.plain} {request.question}"))
    return escape_markdown(text) if text and set(_FIGURE.findall(text)) <= known else NOT_ANSWERED


def answer_request(
    request: ActionRequest, material: Material, *, rounds: int
) -> ModelRequest[Answer]:
    """The call; `rounds` is how often the model may still ask for more."""
    write = new_sections()
    plain = " ".join(request.plain.split())
    standalone = " ".join(request.standalone.split())
    turns = [f"{turn.role}: {turn.text[:LONGEST_TURN]}" for turn in request.earlier[-MOST_TURNS:]]
    seen = f"You see {'all' if material.whole else 'a part'} of these documents."
    others = " There are others." if material.whole and material.others else ""
    more = f" You may ask for more, {_TIMES[rounds]}." if rounds else " You may not ask for more."
    question = shorten(request.plain.strip() or ABOUT, LONGEST_QUESTION)
    return build_request(
        TEMPLATE,
        Answer,
        [
            material.prompt(write),
            write.fenced_section("The conversation before", *turns),
            # Tagged titles and resolved references come from documents and models.
            write.fenced_section(
                "The question as it stands for itself", standalone if standalone != plain else ""
            ),
            f"{seen}{others}{more if others or not material.whole else ''}",
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
CLOSE = 0.25  # minimum share of the best score
LONGEST = 3_000  # characters of a passage; rows of a table are shown whole
_RULE = patterns.compile(r"[\s|:-]+")


async def answer_from_search(
    request: ActionRequest, tools: Tools, notices: Sequence[str] = ()
) -> Reply:
    """The best passages verbatim, each under its document and section. Raises `StoreUnavailable`."""
    material = Material()
    await search_passages(request.question, request, tools, material)
    found = sorted(material.evidence, key=lambda passage: -passage.score)
    best = found[0].score if found else 0.0
    close = [passage for passage in found if passage.score >= CLOSE * best][:MOST]
    if not close:
        is_empty = not request.documents and not await tools.documents.titles(tools.tenant)
        return empty_reply(NONE_TO_SEARCH if is_empty else NOTHING, notices)
    parts: list[str] = []
    markers = Markers()
    for passage in close:
        title, headings = passage.title, passage.heading_path
        lines = list(_fitting_lines(passage.text))
        marker = markers.of([SourceSpan(passage, "\n".join(lines), headings)])
        quote = "\n".join(f"> {line}" for line in _markdown_lines(lines))
        path = (title, *(heading for heading in headings if heading != title))
        page = f", page {passage.page}" if passage.page is not None else ""
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


def _markdown_lines(lines: Sequence[str]) -> Iterator[str]:
    """Escape the lines; table rows stay rows."""
    for line in lines:
        if not (line.startswith("|") and line.rstrip().endswith("|") and len(line) > 1):
            yield escape_markdown(line)
        elif _RULE.fullmatch(line):
            yield line
        else:
            yield f"| {' | '.join(cell(one) for one in line.strip().strip('|').split('|'))} |"
