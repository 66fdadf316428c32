"""Which documents a request means, by rules."""

from collections.abc import Sequence

from app.chat.documents.combining import asked_of_two, compared, goes_on, standing_out
from app.chat.documents.context import MOST_AT_ONCE, Context, Meant, context_of
from app.chat.documents.listing import Listing
from app.chat.documents.model import lost
from app.chat.documents.naming import parts_of_titles, whole_titles
from app.chat.documents.parting import counted, parted
from app.chat.documents.phrases import STOPPED
from app.chat.documents.reading import Reading, reading_of
from app.chat.documents.referring import every, refer, refer_barely
from app.chat.documents.vocabulary import PASTED, STOP, WEAK
from app.domain.chat import ChatAction, Mention, Resolution
from app.domain.knowledge import Confidence

LONG_TEXT = 25  # words: of a shorter one it is not sure that it was pasted
FEW = 2  # words that only say how it is to be done: "shorter please"
MOST_UNRESOLVED = 10


def ruled(
    plain: str, mentions: Sequence[Mention], action: ChatAction, listing: Listing
) -> Resolution:
    """What is sure has confidence high; several titles that one name may mean, medium; names that no document
    has, low.
    """
    tagged = listing.known(one.id for one in mentions if one.kind == "document")
    meant = Meant()
    meant.add(tagged)
    meant.inferred = False
    for label in lost(mentions, listing):
        meant.miss(label)
    request = request_of(plain, action, tagged=bool(tagged))
    if any(one.isalnum() for one in request[:1_000]):
        _read(reading_of(request), meant, action, listing, bool(mentions))
    return _resolution(meant, bool(tagged))


def request_of(plain: str, action: ChatAction, *, tagged: bool = False) -> str:
    """The message without the text that was pasted into it: what that names is not what is asked about."""
    parts = parted(plain)
    if action == "audit" and tagged and not parts.text:
        return ""  # the document is tagged: the words are what is checked against it
    pasted = counted(parts.text, LONG_TEXT) >= LONG_TEXT
    return parts.request if pasted or (action == "audit" and parts.text) else plain


def _read(
    reading: Reading, meant: Meant, action: ChatAction, listing: Listing, tagged: bool
) -> None:
    context = context_of(listing)
    if action == "audit":
        _without_what_is_checked(reading)
    whole_titles(reading, listing, meant, action)
    if every(reading):
        if action != "inquire":
            meant.add(listing.refs(range(min(len(listing.titles), MOST_AT_ONCE))))
        return
    if not meant.inferred and action != "audit" and goes_on(reading, listing, meant):
        return
    refer(reading, context, meant, action)
    parts_of_titles(reading, listing, meant, action)
    if action == "compare" and not meant.implicit:
        compared(reading, listing, meant)
    if not (meant.inferred and action == "inquire"):
        refer_barely(reading, context, meant, action)
    if tagged or _named(meant):
        return
    _go_on(reading, context, meant, action)
    if action == "inquire" and not _named(meant):
        asked_of_two(reading, listing, meant)
        if not meant.resolved:
            standing_out(reading, listing, meant)


def _named(meant: Meant) -> bool:
    return bool(meant.resolved or meant.candidates or meant.unresolved or meant.open)


def _without_what_is_checked(reading: Reading) -> None:
    """What stands before "against" is the text, whatever it is called."""
    texts = reading.texts(0, len(reading.words))
    stops = [place for place, word in enumerate(texts) if word in STOPPED]
    if stops:
        reading.take(0, stops[0])


def _go_on(reading: Reading, context: Context, meant: Meant, action: ChatAction) -> None:
    """An action without an object, and a question that only goes on, are about what was spoken of."""
    words = [one for one in reading.texts(0, len(reading.words)) if one not in STOP | WEAK]
    if action in ("summarize", "audit"):
        if len([one for one in words if one not in PASTED]) <= FEW and context.last:
            context.one(meant)
    elif action == "compare":
        if not words and len(context.before) + len(context.last) > 1:
            context.several(meant)
    elif _elliptic(reading) and len(context.last) == 1:
        context.one(meant)


def _elliptic(reading: Reading) -> bool:
    """Whether a question only goes on: "and for contractors?", "what about part-time staff?"."""
    first = reading.texts(0, 2)
    return first[:1] in (["and"], ["und"], ["et"], ["y"]) or first in (
        ["what", "about"],
        ["how", "about"],
        ["que", "pasa"],
        ["was", "ist"],
    )


def _resolution(meant: Meant, tagged: bool) -> Resolution:
    candidates = tuple(one for one in meant.candidates.values() if one.id not in meant.resolved)
    missing = bool(meant.unresolved) or (meant.open and not meant.resolved)
    confidence: Confidence = "medium" if candidates else "low" if missing else "high"
    inferred = meant.inferred or bool(candidates)
    return Resolution(
        resolved=tuple(meant.resolved.values()),
        candidates=candidates,
        unresolved=tuple(meant.unresolved[:MOST_UNRESOLVED]),
        confidence=confidence,
        source="fuzzy_match"
        if meant.fuzzy
        else "inferred"
        if inferred
        else "explicit"
        if tagged
        else "none",
        implicit=meant.implicit,
    )
