"""What a message asks for: told by code if it is plain, by one call of a model if it is not."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from app.chat.documents.titles import Listing, message_words
from app.chat.model_request import UNAVAILABLE, build_request, new_sections, shorten
from app.chat.tools import Tools
from app.domain.chat import ACTIONS, ChatAction, ChatTurn, DocumentRef, Intent, Mention, Resolution
from app.domain.knowledge import Confidence
from app.llm.port import ModelRequest

READ = 2_000  # characters at the beginning in which commands and titles are looked for
MOST_CANDIDATES = 8
MOST_POINTING = 2  # words after a command that name nothing: "it", "these two"
MOST_NAMES = 10
LONGEST_NAME = 200  # characters
_COMMANDS: dict[str, ChatAction] = {one: one for one in ACTIONS} | {"summarise": "summarize"}


@dataclass(frozen=True, slots=True)
class ExplicitReading:
    """`action` of a command, None where the message is none; `documents` as far as they are tagged or named,
    those of `sure` tagged or in quotes. `whole`: the message is a command and titles, and says nothing else.
    `tagged`: documents or sets are.
    """

    action: ChatAction | None
    documents: Resolution
    sure: Resolution
    whole: bool
    tagged: bool


def read_explicitly(
    plain: str, mentions: Sequence[Mention], listing: Listing, action: ChatAction | None = None
) -> ExplicitReading:
    """The message without mentions, with what was tagged in it. `action` is one that was chosen."""
    command, text = _command(plain[:READ])
    words = message_words(text)
    titles = listing.ready.find_named(text)
    tagged = listing.registered(one.id for one in mentions if one.kind == "document")
    lost = [
        (one.label or one.id)[:LONGEST_NAME]
        for one in mentions
        if one.kind == "document" and listing.ready.place(one.id) is None
    ]
    one_each = [place for named in titles if len(named.places) == 1 for place in named.places]
    several = [place for named in titles if len(named.places) > 1 for place in named.places]
    quoted = [place for named in titles if named.quoted for place in named.places]
    sure = Resolution(
        resolved=tuple(dict.fromkeys((*tagged, *listing.refs(quoted)))),
        unresolved=tuple(lost[:MOST_NAMES]),
    )
    resolution = Resolution(
        resolved=tuple(dict.fromkeys((*tagged, *listing.refs(one_each)))),
        candidates=listing.refs(several[:MOST_CANDIDATES]),
        unresolved=sure.unresolved,
        confidence="medium" if several else "low" if lost else "high",
    )
    others = [
        one for one in words if not any(named.start <= one.start < named.end for named in titles)
    ]
    # Between two documents stands at most a word that joins them; where tags stood is not known any more.
    tags = sum(one.kind in ("document", "set") for one in mentions)
    joined = tags or all(titles and titles[0].end <= one.start < titles[-1].start for one in others)
    whole = command and joined and len(others) < len(titles) + tags and len(plain) <= READ
    return ExplicitReading(action or command, resolution, sure, bool(whole), tags > 0)


def _command(text: str) -> tuple[ChatAction | None, str]:
    """The action that the first word names and what follows it, or all of the text."""
    words = message_words(text)
    action = _COMMANDS.get(words[0].text) if words else None
    return action, text[words[0].end :] if action else text


def without_model(told: ExplicitReading, plain: str, listing: Listing) -> Resolution:
    """The documents if no model tells them: what is no command is a search of all. A command that names no
    title word for word is of those that its words may mean, or of the last ones.
    """
    known = told.documents
    searches = told.action in (None, "inquire")
    if searches or told.tagged or known.resolved or known.candidates:
        return known
    _, rest = _command(plain[:READ])
    if likely := listing.refs(listing.ready.rank_likely(rest, MOST_CANDIDATES, fill=False)):
        return _found(likely, known)
    last = listing.registered(one.id for one in listing.last)
    points_back = len(message_words(rest)) <= MOST_POINTING
    return known.model_copy(update={"resolved": last if points_back else ()})


def resolve_named(
    known: Resolution, text: str, mentions: Sequence[Mention], listing: Listing
) -> Resolution:
    """What is known with the answer to which document is meant: tagged, or its title."""
    told = read_explicitly(text, mentions, listing).documents
    if told.resolved or told.candidates or not text.strip():
        resolved = tuple(dict.fromkeys((*known.resolved, *told.resolved)))
        return told.model_copy(update={"resolved": resolved})
    alike = listing.refs(listing.ready.find_similar(text[:LONGEST_NAME])[:MOST_CANDIDATES])
    if alike:
        return _found(alike, known)
    unknown = (text.strip()[:LONGEST_NAME],)
    return Resolution(resolved=known.resolved, unresolved=unknown, confidence="low")


def resolve_chosen(known: Resolution, ids: Sequence[str]) -> Resolution:
    """What is known with those of its candidates that a person chose."""
    taken = (one for one in known.candidates if one.id in ids)
    return Resolution(resolved=tuple(dict.fromkeys((*known.resolved, *taken))))


def _found(places: tuple[DocumentRef, ...], known: Resolution) -> Resolution:
    """A single candidate is resolved; of several it is to be asked."""
    if len(places) == 1:
        return known.model_copy(
            update={"resolved": (*known.resolved, *places), "unresolved": (), "confidence": "high"}
        )
    return known.model_copy(update={"candidates": places, "unresolved": (), "confidence": "medium"})


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


def list_documents(
    message: str, mentions: Sequence[Mention], earlier: Sequence[ChatTurn], listing: Listing
) -> dict[str, DocumentRef]:
    """What was tagged, the documents of the conversation, then the likeliest titles, by references."""
    said = "\n".join(
        (message[:LONGEST_MESSAGE], *(one.text[:LONGEST_TURN] for one in earlier[-2:]))
    )
    tagged = listing.registered(one.id for one in mentions if one.kind == "document")
    likely = listing.refs(listing.ready.rank_likely(said, MOST_TITLES))
    before = listing.registered(listing.registry.values())
    every = dict.fromkeys((*tagged, *reversed(before), *likely))
    return {f"D{at}": one for at, one in enumerate(list(every)[:MOST_TITLES], 1)}


def intent_request(
    message: str,
    mentions: Sequence[Mention],
    earlier: Sequence[ChatTurn],
    listing: Listing,
    shown: dict[str, DocumentRef],
    action: ChatAction | None,
) -> ModelRequest[Understanding]:
    write = new_sections()
    tagged = {one.id for one in mentions if one.kind == "document"}
    titled = {one.document_id: one for one in listing.titles}
    sections = {
        one.id: f": {'; '.join(_line(each, LONGEST_NAME) for each in titled[one.id].sections)}"
        for one in list(shown.values())[:MOST_SECTIONED]
        if titled[one.id].sections
    }
    lines = [
        f"{ref} {_line(one.title, LONGEST_NAME)} ({titled[one.id].ingested_at:%Y-%m-%d}"
        f"{', tagged in the message' if one.id in tagged else ''})"
        f"{sections.get(one.id, '')}"
        for ref, one in shown.items()
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


def resolution_of(
    reply: Understanding, known: Resolution, shown: dict[str, DocumentRef]
) -> Resolution:
    """The documents: what was tagged or is in quotes counts in any case."""
    resolved = tuple(dict.fromkeys((*known.resolved, *_known(shown, reply.documents))))
    open_ = tuple(one for one in _known(shown, reply.candidates) if one not in resolved)
    if reply.confidence == "high" or len(open_) < 2:
        open_ = ()
    names = [_line(one, LONGEST_NAME) for one in reply.unknown]
    return Resolution(
        resolved=resolved,
        candidates=open_[:MOST_CANDIDATES],
        unresolved=tuple(dict.fromkeys((*known.unresolved, *filter(None, names))))[:MOST_NAMES],
        confidence=reply.confidence,
    )


def _known(shown: dict[str, DocumentRef], refs: Sequence[str]) -> tuple[DocumentRef, ...]:
    found = (shown.get(one.strip("[] ").upper()) for one in refs)
    return tuple(dict.fromkeys(one for one in found if one is not None))


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
        shown = list_documents(plain, mentions, earlier, listing)
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
