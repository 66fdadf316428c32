"""Resolves what a message asks for: by code if it is explicit, else with one model call."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from app.chat.documents.titles import Listing, message_words
from app.chat.model_request import UNAVAILABLE, build_request, new_sections, shorten
from app.chat.tools import Tools
from app.domain.chat import ACTIONS, ChatAction, ChatTurn, DocumentRef, Intent, Mention, Resolution
from app.domain.knowledge import Confidence
from app.llm.port import ModelRequest

READ = 2_000  # first characters, in which commands and titles are looked for
MOST_CANDIDATES = 8
MOST_POINTING = 2  # words after a command that refer back: "it", "these two"
MOST_NAMES = 10
LONGEST_NAME = 200  # characters
_COMMANDS: dict[str, ChatAction] = {one: one for one in ACTIONS} | {"summarise": "summarize"}


@dataclass(frozen=True, slots=True)
class ExplicitReading:
    """What code reads in a message: the `action` of a command; `documents` that are tagged or named, of which
    those in `certain` are tagged or quoted. `is_complete`: the message is a command and titles, nothing
    else. `tagged`: documents or sets are tagged.
    """

    action: ChatAction | None
    documents: Resolution
    certain: Resolution
    is_complete: bool
    tagged: bool


def read_explicitly(
    plain: str, mentions: Sequence[Mention], listing: Listing, action: ChatAction | None = None
) -> ExplicitReading:
    """Read the message without its mentions. `action` is set if the person chose one."""
    command, text = _command(plain[:READ])
    words = message_words(text)
    titles = listing.ready.find_named(text)
    tagged = listing.registered(one.id for one in mentions if one.kind == "document")
    unknown = [
        (one.label or one.id)[:LONGEST_NAME]
        for one in mentions
        if one.kind == "document" and listing.ready.place(one.id) is None
    ]
    unique = [place for title in titles if len(title.places) == 1 for place in title.places]
    ambiguous = [place for title in titles if len(title.places) > 1 for place in title.places]
    quoted = [place for title in titles if title.quoted for place in title.places]
    certain = Resolution(
        resolved=tuple(dict.fromkeys((*tagged, *listing.refs(quoted)))),
        unresolved=tuple(unknown[:MOST_NAMES]),
    )
    documents = Resolution(
        resolved=tuple(dict.fromkeys((*tagged, *listing.refs(unique)))),
        candidates=listing.refs(ambiguous[:MOST_CANDIDATES]),
        unresolved=certain.unresolved,
        confidence="medium" if ambiguous else "low" if unknown else "high",
    )
    others = [
        word for word in words if not any(title.start <= word.start < title.end for title in titles)
    ]
    # At most one word joins two documents. The positions of tags are no longer known.
    tags = sum(one.kind in ("document", "set") for one in mentions)
    joined = tags or all(
        titles and titles[0].end <= word.start < titles[-1].start for word in others
    )
    is_complete = command and joined and len(others) < len(titles) + tags and len(plain) <= READ
    return ExplicitReading(action or command, documents, certain, bool(is_complete), tags > 0)


def _command(text: str) -> tuple[ChatAction | None, str]:
    """The action that the first word names, and the text after it; else None and the whole text."""
    words = message_words(text)
    action = _COMMANDS.get(words[0].text) if words else None
    return action, text[words[0].end :] if action else text


def resolve_without_model(reading: ExplicitReading, plain: str, listing: Listing) -> Resolution:
    """The documents of a message without a model. A question searches all. A command that names no title
    exactly applies to titles with similar words, or to the documents of the last turn.
    """
    known = reading.documents
    searches = reading.action in (None, "inquire")
    if searches or reading.tagged or known.resolved or known.candidates:
        return known
    _, rest = _command(plain[:READ])
    if likely := listing.refs(listing.ready.rank_likely(rest, MOST_CANDIDATES, fill=False)):
        return _with_candidates(known, likely)
    last = listing.registered(one.id for one in listing.last)
    refers_back = len(message_words(rest)) <= MOST_POINTING
    return known.model_copy(update={"resolved": last if refers_back else ()})


def resolve_named(
    known: Resolution, text: str, mentions: Sequence[Mention], listing: Listing
) -> Resolution:
    """Apply the answer to which document is meant: a tag or a title."""
    named = read_explicitly(text, mentions, listing).documents
    if named.resolved or named.candidates or not text.strip():
        resolved = tuple(dict.fromkeys((*known.resolved, *named.resolved)))
        return named.model_copy(update={"resolved": resolved})
    similar = listing.refs(listing.ready.find_similar(text[:LONGEST_NAME])[:MOST_CANDIDATES])
    if similar:
        return _with_candidates(known, similar)
    unknown = (text.strip()[:LONGEST_NAME],)
    return Resolution(resolved=known.resolved, unresolved=unknown, confidence="low")


def resolve_chosen(known: Resolution, ids: Sequence[str]) -> Resolution:
    """Apply a choice among the candidates."""
    chosen = (one for one in known.candidates if one.id in ids)
    return Resolution(resolved=tuple(dict.fromkeys((*known.resolved, *chosen))))


def _with_candidates(known: Resolution, documents: tuple[DocumentRef, ...]) -> Resolution:
    """A single candidate is resolved; several are left to be asked about."""
    if len(documents) == 1:
        update = {"resolved": (*known.resolved, *documents), "confidence": "high"}
    else:
        update = {"candidates": documents, "confidence": "medium"}
    return known.model_copy(update=update | {"unresolved": ()})


TEMPLATE = "understanding.v2"
MAX_OUTPUT = 500  # tokens
MOST_TITLES = 200  # shown to the model
MOST_SECTIONED = 30  # titles shown with their sections
MOST_TURNS, LONGEST_TURN = 6, 500
LONGEST_MESSAGE = 3_000  # characters, from both ends: a longer message contains a pasted text
LONGEST_QUESTION = 1_000


class Understanding(BaseModel):
    """The model's reply; documents are given by their references in the prompt ("D3")."""

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
    """By reference: tagged documents, those of the conversation, then the likeliest titles."""
    text = "\n".join(
        (message[:LONGEST_MESSAGE], *(turn.text[:LONGEST_TURN] for turn in earlier[-2:]))
    )
    tagged = listing.registered(one.id for one in mentions if one.kind == "document")
    likely = listing.refs(listing.ready.rank_likely(text, MOST_TITLES))
    recent = reversed(listing.registered(listing.registry.values()))
    documents = list(dict.fromkeys((*tagged, *recent, *likely)))[:MOST_TITLES]
    return {f"D{number}": document for number, document in enumerate(documents, 1)}


def intent_request(
    message: str,
    mentions: Sequence[Mention],
    earlier: Sequence[ChatTurn],
    listing: Listing,
    documents: dict[str, DocumentRef],
    action: ChatAction | None,
) -> ModelRequest[Understanding]:
    write = new_sections()
    tagged = {one.id for one in mentions if one.kind == "document"}
    titles = {title.document_id: title for title in listing.titles}
    lines = []
    for at, (ref, document) in enumerate(documents.items()):
        title = titles[document.id]
        day = f"{title.ingested_at:%Y-%m-%d}"
        tag = ", tagged in the message" if document.id in tagged else ""
        line = f"{ref} {_line(document.title, LONGEST_NAME)} ({day}{tag})"
        if at < MOST_SECTIONED and title.sections:
            line += f": {'; '.join(_line(each, LONGEST_NAME) for each in title.sections)}"
        lines.append(line)
    return build_request(
        TEMPLATE,
        Understanding,
        [
            write.fenced_section("Documents, with the day they came in and their sections", *lines),
            write.fenced_section(
                "Before, the latest last", *(_turn_line(turn) for turn in earlier[-MOST_TURNS:])
            ),
            f"The person chose the action: {action}" if action else "",
            write.trusted_section("Message", shorten(message, LONGEST_MESSAGE)),
        ],
        purpose="intent",
        tier="fast",
        max_output_tokens=MAX_OUTPUT,
    )


def intent_of(reply: Understanding, message: str, action: ChatAction | None) -> Intent:
    """The intent. A confident reply or a chosen action leaves no candidates."""
    is_open = not action and reply.confidence != "high" and len(set(reply.actions)) > 1
    candidates = dict.fromkeys((*reply.actions, *ACTIONS)) if is_open else {}
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
    reply: Understanding, known: Resolution, documents: dict[str, DocumentRef]
) -> Resolution:
    """The documents of the reply, and the `known` ones, which were tagged or quoted."""

    def find(refs: Sequence[str]) -> list[DocumentRef]:
        found = (documents.get(ref.strip("[] ").upper()) for ref in refs)
        return [document for document in found if document is not None]

    resolved = tuple(dict.fromkeys((*known.resolved, *find(reply.documents))))
    candidates = tuple(
        document for document in dict.fromkeys(find(reply.candidates)) if document not in resolved
    )
    if reply.confidence == "high" or len(candidates) < 2:
        candidates = ()
    names = [_line(name, LONGEST_NAME) for name in reply.unknown]
    return Resolution(
        resolved=resolved,
        candidates=candidates[:MOST_CANDIDATES],
        unresolved=tuple(dict.fromkeys((*known.unresolved, *filter(None, names))))[:MOST_NAMES],
        confidence=reply.confidence,
    )


def _turn_line(turn: ChatTurn) -> str:
    titles = _line(", ".join(document.title for document in turn.documents[:5]), LONGEST_NAME)
    about = f" (about {titles})" if titles else ""
    return f"{turn.role}{about}: {_line(turn.text, LONGEST_TURN)}"


def _line(text: str, longest: int) -> str:
    return " ".join(text[: longest * 2].split())[:longest]


async def understand_request(
    plain: str,
    mentions: Sequence[Mention],
    earlier: Sequence[ChatTurn],
    listing: Listing,
    tools: Tools,
    action: ChatAction | None = None,
) -> tuple[Intent, Resolution]:
    """The intent and the documents of a message; `action` is set if the person chose one. A model is called
    only if the message is not explicit; if none is available, the explicit reading counts and the intent
    has a notice.
    """
    reading = read_explicitly(plain, mentions, listing, action)
    is_empty = not plain.strip()
    is_explicit = (
        reading.is_complete or (reading.tagged and (is_empty or action)) or (is_empty and action)
    )
    notice = ""
    if tools.model is not None and not is_explicit:
        documents = list_documents(plain, mentions, earlier, listing)
        request = intent_request(plain, mentions, earlier, listing, documents, action)
        try:
            reply = await tools.model.ask(request)
        except UNAVAILABLE as error:
            notice = f"The model could not be asked what is meant: {error.detail}"
        else:
            resolution = resolution_of(reply, reading.certain, documents)
            return intent_of(reply, plain, action), resolution
    question = shorten(plain.strip(), LONGEST_QUESTION)
    intent = Intent(action=reading.action or "inquire", question=question, notice=notice)
    return intent, resolve_without_model(reading, plain, listing)
