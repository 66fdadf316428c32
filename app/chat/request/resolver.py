"""A message understood: by code where it is plain, by one call of a model where it is not."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from app.chat.documents.titles import Listing
from app.chat.model_request import UNAVAILABLE, build_request, new_sections, shorten
from app.chat.request.plain import (
    LONGEST_NAME,
    MOST_CANDIDATES,
    MOST_NAMES,
    read_explicitly,
    without_model,
)
from app.chat.tools import Tools
from app.domain.chat import ACTIONS, ChatAction, ChatTurn, DocumentRef, Intent, Mention, Resolution
from app.domain.knowledge import Confidence
from app.llm.port import ModelRequest

TEMPLATE = "understanding.v2"
MAX_OUTPUT = 500  # tokens
MOST_TITLES = 200  # that a model is shown
MOST_SECTIONED = 30  # of these, with their sections
MOST_TURNS, LONGEST_TURN = 6, 500
LONGEST_MESSAGE = 3_000  # characters, from both ends: what is longer is a pasted text
LONGEST_QUESTION = 1_000


class Understanding(BaseModel):
    """What the message asks for, documents by the references of the prompt ("D3")."""

    action: ChatAction
    confidence: Confidence
    question: str = ""
    documents: list[str] = Field(default_factory=list)
    candidates: list[str] = Field(default_factory=list)
    unknown: list[str] = Field(default_factory=list)
    actions: list[ChatAction] = Field(default_factory=list)
    web: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """The documents that a prompt lists, by their references."""

    refs: dict[str, DocumentRef]

    def known(self, given: Sequence[str]) -> tuple[DocumentRef, ...]:
        found = (self.refs.get(one.strip("[] ").upper()) for one in given)
        return tuple(dict.fromkeys(one for one in found if one is not None))


def shown_of(
    message: str, mentions: Sequence[Mention], earlier: Sequence[ChatTurn], listing: Listing
) -> Shown:
    """What was tagged, the documents of the conversation, then the likeliest titles by the words said."""
    said = "\n".join(
        (message[:LONGEST_MESSAGE], *(one.text[:LONGEST_TURN] for one in earlier[-2:]))
    )
    tagged = listing.registered(one.id for one in mentions if one.kind == "document")
    likely = listing.refs(listing.ready.rank_likely(said, MOST_TITLES))
    before = listing.registered(listing.registry.values())
    every = dict.fromkeys((*tagged, *reversed(before), *likely))
    return Shown({f"D{at}": one for at, one in enumerate(list(every)[:MOST_TITLES], 1)})


def intent_request(
    message: str,
    mentions: Sequence[Mention],
    earlier: Sequence[ChatTurn],
    listing: Listing,
    shown: Shown,
    action: ChatAction | None,
) -> ModelRequest[Understanding]:
    write = new_sections()
    tagged = {one.id for one in mentions if one.kind == "document"}
    titled = {one.document_id: one for one in listing.titles}
    sections = {
        one.id: f": {'; '.join(_line(each, LONGEST_NAME) for each in titled[one.id].sections)}"
        for one in list(shown.refs.values())[:MOST_SECTIONED]
        if titled[one.id].sections
    }
    lines = [
        f"{ref} {_line(one.title, LONGEST_NAME)} ({titled[one.id].ingested_at:%Y-%m-%d}"
        f"{', tagged in the message' if one.id in tagged else ''})"
        f"{sections.get(one.id, '')}"
        for ref, one in shown.refs.items()
    ]
    return build_request(
        TEMPLATE,
        Understanding,
        [
            write.fenced_section("Documents, with the day they came in and their sections", *lines),
            write.fenced_section(
                "Before, the latest last", *(_turn_line(one) for one in earlier[-MOST_TURNS:])
            ),
            f"The person chose the action: {action}" if action else "",
            write.trusted_section("Message", shorten(message, LONGEST_MESSAGE)),
        ],
        purpose="intent",
        tier="fast",
        max_output_tokens=MAX_OUTPUT,
    )


def intent_of(reply: Understanding, message: str, action: ChatAction | None) -> Intent:
    """The intent; a confident reading and a chosen action have no candidates."""
    open_ = not action and reply.confidence != "high" and len(set(reply.actions)) > 1
    candidates = dict.fromkeys((*reply.actions, *ACTIONS)) if open_ else {}
    return Intent(
        action=action or reply.action,
        confidence=reply.confidence,
        candidates=tuple(candidates),
        question=" ".join(reply.question.split())[:LONGEST_QUESTION]
        or shorten(message, LONGEST_QUESTION),
        web=reply.web,
        title=" ".join(reply.title.split()),
    )


def resolution_of(reply: Understanding, known: Resolution, shown: Shown) -> Resolution:
    """The documents: what was tagged or is in quotes counts in any case."""
    resolved = tuple(dict.fromkeys((*known.resolved, *shown.known(reply.documents))))
    open_ = tuple(one for one in shown.known(reply.candidates) if one not in resolved)
    if reply.confidence == "high" or len(open_) < 2:
        open_ = ()
    names = [_line(one, LONGEST_NAME) for one in reply.unknown]
    return Resolution(
        resolved=resolved,
        candidates=open_[:MOST_CANDIDATES],
        unresolved=tuple(dict.fromkeys((*known.unresolved, *filter(None, names))))[:MOST_NAMES],
        confidence=reply.confidence,
    )


def _turn_line(one: ChatTurn) -> str:
    titles = _line(", ".join(each.title for each in one.documents[:5]), LONGEST_NAME)
    about = f" (about {titles})" if titles else ""
    return f"{one.role}{about}: {_line(one.text, LONGEST_TURN)}"


def _line(text: str, longest: int) -> str:
    return " ".join(text[: longest * 2].split())[:longest]


@dataclass(frozen=True, slots=True)
class Understood:
    """What is to be done, and with which documents."""

    intent: Intent
    documents: Resolution


async def understand_request(
    plain: str,
    mentions: Sequence[Mention],
    earlier: Sequence[ChatTurn],
    listing: Listing,
    tools: Tools,
    action: ChatAction | None = None,
) -> Understood:
    """The message without its mentions; `action` is one that was chosen. A model is asked only if code does
    not tell the action and the documents; if it is away, what code tells counts, with a notice.
    """
    told = read_explicitly(plain, mentions, listing, action)
    bare = not plain.strip()
    settled = told.whole or (told.tagged and (bare or action)) or (bare and action)
    notice = ""
    if tools.model is not None and not settled:
        shown = shown_of(plain, mentions, earlier, listing)
        request = intent_request(plain, mentions, earlier, listing, shown, action)
        try:
            reply = await tools.model.ask(request)
        except UNAVAILABLE as error:
            notice = f"The model could not be asked what is meant: {error.detail}"
        else:
            resolution = resolution_of(reply, told.sure, shown)
            return Understood(intent_of(reply, plain, action), resolution)
    question = shorten(plain.strip(), LONGEST_QUESTION)
    intent = Intent(action=told.action or "inquire", question=question, notice=notice)
    return Understood(intent, without_model(told, plain, listing))
