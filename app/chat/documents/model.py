"""What a model is told of the documents, and what becomes of its reply. Documents go by their ids: one that
the tenant has not is dropped.
"""

from collections.abc import Sequence

from pydantic import BaseModel

from app.chat.documents.listing import Listing
from app.chat.documents.words import folded, words_of
from app.domain.chat import DocumentRef, Mention, Resolution, Turned
from app.domain.knowledge import Confidence
from app.llm.writing import Writing

LONGEST_MESSAGE = (
    2_000  # characters of it that a model is told: the request, not what is pasted below
)
LONGEST_LINE = 400  # characters of each earlier message
FIVE = 5  # earlier messages, as the source design has it
MOST_REGISTERED = 20  # documents of the conversation, the latest
MOST_NAMES = 10  # taken from one reply
LONGEST_NAME = 200  # characters


class DocResolution(BaseModel):
    """The documents a message means, as a model says: ids from the lists it was shown, and names that none
    of those has. `has_implicit_refs`: some are meant without being named, as in "those two".
    """

    resolved_ids: list[str]
    unresolved_names: list[str]
    inference_confidence: Confidence
    has_implicit_refs: bool
    reasoning: str


def documents_parts(
    write: Writing,
    message: str,
    mentions: Sequence[Mention],
    earlier: Sequence[Turned],
    listing: Listing,
    five: bool,
) -> list[str]:
    """The parts of a prompt: the message, what it tagged, the conversation's documents, and with `five` the
    last five messages and the titles that are likest to its words, never all.
    """
    registered = listing.before()[-MOST_REGISTERED:]
    tagged = _tagged(mentions, listing)
    parts = [
        write.trusted("Message", message[:LONGEST_MESSAGE]),
        write.fenced("Tagged in it", *_lines(tagged)),
        write.fenced("Documents of this conversation, the latest last", *_lines(registered)),
    ]
    if not five:
        return parts
    shown = shown_to(message, mentions, earlier, listing, five=True)
    others = [one for one in shown if one not in registered and one not in tagged]
    return [
        *parts,
        write.fenced("Other documents that may be meant", *_lines(others)),
        write.fenced("Before, the latest last", *(_said(one) for one in earlier[-FIVE:])),
    ]


def shown_to(
    message: str,
    mentions: Sequence[Mention],
    earlier: Sequence[Turned],
    listing: Listing,
    *,
    five: bool,
) -> tuple[DocumentRef, ...]:
    """The documents that a model is shown, with `five` the likely ones too."""
    registered = listing.before()[-MOST_REGISTERED:]
    likely = listing.refs(listing.ready.likely(_words(message, earlier))) if five else ()
    return tuple(dict.fromkeys((*_tagged(mentions, listing), *registered, *likely)))


def read(
    reply: DocResolution,
    mentions: Sequence[Mention],
    listing: Listing,
    shown: Sequence[DocumentRef],
) -> Resolution:
    """The resolution that a reply comes to: what was tagged always counts, then the ids that the model was
    shown, then names by their likeness. Several that are no more than likely are candidates, and what was
    tagged and is no more there is unresolved.
    """
    tagged = _tagged(mentions, listing)
    inferred = [
        one for one in listing.known(reply.resolved_ids) if one in shown and one not in tagged
    ]
    resolved, missing = list(tagged), lost(mentions, listing)
    candidates: list[DocumentRef] = []
    fuzzy = False
    for name in reply.unresolved_names[:MOST_NAMES]:
        found = listing.refs(listing.ready.alike([one.text for one in words_of(name)]))
        fuzzy = fuzzy or bool(found)
        if len(found) == 1:
            resolved.append(found[0])
        elif found:
            candidates.extend(found)
        elif name.strip():
            missing.append(name.strip()[:LONGEST_NAME])
    if reply.inference_confidence != "high" and len(inferred) > 1:
        candidates = [*inferred, *candidates]
    else:
        resolved = [*resolved, *inferred]
    unsure: Confidence = "medium" if candidates else "low" if missing else "high"
    return Resolution(
        resolved=tuple(dict.fromkeys(resolved)),
        candidates=tuple(dict.fromkeys(one for one in candidates if one not in resolved)),
        unresolved=tuple(dict.fromkeys(missing)),
        confidence=unsure,
        source="fuzzy_match"
        if fuzzy
        else "inferred"
        if inferred
        else "explicit"
        if tagged
        else "none",
        implicit=reply.has_implicit_refs,
        asked=1,
        reasoning=reply.reasoning[:LONGEST_LINE],
    )


def lost(mentions: Sequence[Mention], listing: Listing) -> list[str]:
    """What the tagged documents were called that the tenant has not, or not any more."""
    return [
        one.label or one.id
        for one in mentions
        if one.kind == "document" and listing.ready.place(one.id) is None
    ][:MOST_NAMES]


def _tagged(mentions: Sequence[Mention], listing: Listing) -> tuple[DocumentRef, ...]:
    return listing.known(one.id for one in mentions if one.kind == "document")


def _lines(documents: Sequence[DocumentRef]) -> list[str]:
    return [f"{one.id} {_line(one.title, LONGEST_NAME)}" for one in documents]


def _said(turned: Turned) -> str:
    about = ", ".join(one.title for one in turned.documents)
    told = f" (about {_line(about, LONGEST_NAME)})" if about else ""
    return f"{turned.role}{told}: {_line(turned.text, LONGEST_LINE)}"


def _line(text: str, longest: int) -> str:
    return " ".join(text[: longest * 2].split())[:longest]


def _words(message: str, earlier: Sequence[Turned]) -> list[str]:
    """Words by which titles are likely: the message's, and those of what the person said before."""
    said = [one.text for one in earlier[-FIVE:] if one.role == "user"]
    texts = [message[:LONGEST_MESSAGE], *(one[:LONGEST_LINE] for one in said)]
    return [one.text for text in texts for one in words_of(folded(text))]
