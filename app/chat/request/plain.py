"""What code alone can tell of a message: what is tagged, titles in quotes or word for word, and commands."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.documents.titles import Listing, message_words
from app.domain.chat import ACTIONS, ChatAction, DocumentRef, Mention, Resolution

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
