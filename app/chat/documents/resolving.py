"""The three stages: what was tagged, what a model makes of the rest, and names by their likeness."""

from collections.abc import Sequence

from app.chat.documents.listing import Listing
from app.chat.documents.model import DocResolution, documents_parts, read, shown_to
from app.chat.documents.rules import ruled
from app.chat.tools import Tools
from app.domain.chat import ChatAction, DocumentRef, Mention, Resolution, Turned
from app.errors import BudgetReached, ModelFailed
from app.llm.fence import NAME, new_tag
from app.llm.port import Model, ModelRequest
from app.llm.prompting import fill
from app.llm.writing import Writing, joined
from app.threads import run_long

SHORT_MESSAGE = 2_000  # characters that rules read in under 20 ms
TEMPLATE = "resolving.v1"
MAX_OUTPUT = 400  # tokens
LONGEST_NAME = 200  # characters of what a person says when asked


async def documents_of(
    plain: str,
    mentions: Sequence[Mention],
    earlier: Sequence[Turned],
    action: ChatAction,
    listing: Listing,
    tools: Tools,
) -> Resolution:
    """Which documents are meant; at most one call of a model, none for mentions alone or where rules are
    sure. A model that fails leaves what the rules say.
    """

    def by_words() -> tuple[Resolution, bool]:
        found = ruled(plain, mentions, action, listing)
        named = found.implicit or found.candidates or ruled(plain, (), action, listing).unresolved
        return found, bool(named)

    known, spoken = await run_long(by_words, len(plain), SHORT_MESSAGE)
    if known.confidence == "high" or not spoken or tools.model is None or not listing.titles:
        return known
    hit = not known.implicit and any(
        one.id in listing.registry.values() for one in known.candidates
    )
    parts = documents_parts(Writing(new_tag()), plain, mentions, earlier, listing, five=not hit)
    try:
        reply = await _asked(tools.model, parts, action)
    except (ModelFailed, BudgetReached) as error:
        notice = f"The model could not be asked: {error.title}."
        return known.model_copy(update={"asked": 1, "notice": notice})
    shown = shown_to(plain, mentions, earlier, listing, five=not hit)
    return _merged(known, read(reply, mentions, listing, shown), action)


async def _asked(model: Model, parts: Sequence[str], action: ChatAction) -> DocResolution:
    return await model.ask(
        ModelRequest(
            purpose="doc_resolution",
            system=fill(TEMPLATE, fence=NAME),
            template=TEMPLATE,
            prompt=joined([f"Action: {action}", *parts]),
            reply=DocResolution,
            tier="fast",
            max_output_tokens=MAX_OUTPUT,
        )
    )


def _merged(known: Resolution, told: Resolution, action: ChatAction) -> Resolution:
    """What the model says, with what the rules are sure of; where it makes nothing out of it an action that
    needs a document goes by the rules.
    """
    resolved = _once((*known.resolved, *told.resolved))
    if not told.candidates and len(resolved) == len(known.resolved) and action != "inquire":
        return known.model_copy(update={"asked": 1, "reasoning": told.reasoning})
    candidates = tuple(one for one in told.candidates if one not in resolved)
    return told.model_copy(update={"resolved": resolved, "candidates": candidates})


def chosen(resolution: Resolution, ids: Sequence[str]) -> Resolution:
    """The resolution after the person chose among its candidates; as it was where they chose none of them."""
    wanted = set(ids)
    taken = tuple(one for one in resolution.candidates if one.id in wanted or wanted == {"all"})
    if not taken:
        return resolution
    return resolution.model_copy(
        update={
            "resolved": _once((*resolution.resolved, *taken)),
            "candidates": (),
            "confidence": "high",
            "source": "explicit",
        }
    )


def named(
    resolution: Resolution, text: str, mentions: Sequence[Mention], listing: Listing
) -> Resolution:
    """The resolution after the person was asked to name a document, and said or tagged this."""
    by_id = listing.known([text.strip()])
    tagged = listing.known(one.id for one in mentions if one.kind == "document")
    # The words are read as those of an action that needs a document: a bare name is one then.
    found = ruled("" if by_id or tagged else text, mentions, "summarize", listing)
    resolved = _once((*resolution.resolved, *by_id, *tagged, *found.resolved))
    if found.candidates:
        update = {"resolved": resolved, "candidates": found.candidates, "confidence": "medium"}
    elif by_id or found.resolved:
        update = {"resolved": resolved, "candidates": (), "unresolved": (), "confidence": "high"}
    else:
        name = " ".join(text[: LONGEST_NAME * 2].split())[:LONGEST_NAME]
        missing = found.unresolved or ((name,) if name else resolution.unresolved)
        update = {"candidates": (), "unresolved": missing, "confidence": "low"}
    return resolution.model_copy(
        update=update | {"source": found.source if found.resolved else "explicit"}
    )


def _once(documents: Sequence[DocumentRef]) -> tuple[DocumentRef, ...]:
    return tuple({one.id: one for one in documents}.values())
