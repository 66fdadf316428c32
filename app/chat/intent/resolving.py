"""The action of a message: by rules where they are sure, by a model where they are not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.chat.documents import Listing
from app.chat.documents.model import read
from app.chat.documents.resolving import SHORT_MESSAGE
from app.chat.documents.words import words_of
from app.chat.intent.asking import first, intent_by, second, shown
from app.chat.intent.naming import spelt, with_titles_marked
from app.chat.intent.recency import recent
from app.chat.intent.request import Request, request_of
from app.chat.intent.rules import judged
from app.chat.intent.summaries import plainly_of_topic
from app.chat.tools import Tools
from app.domain.chat import ACTIONS, Intent, Mention, Resolution, Turned
from app.errors import BudgetReached, ModelFailed
from app.llm.port import Model
from app.threads import run_long

_MOST_OF = 0.5  # of its words, that a title may be known by


@dataclass(frozen=True, slots=True)
class Understood:
    """The intent, and the documents where the same call of a model told them too."""

    intent: Intent
    documents: Resolution | None = None


async def intent_of(
    message: str,
    mentions: Sequence[Mention],
    earlier: Sequence[Turned],
    listing: Listing,
    tools: Tools,
) -> Understood:
    """What is to be done: at most two calls of a model, the second with the last five messages and the
    documents, so that nothing is left to ask for those. A model that fails leaves what the rules say.
    """
    labels = [one.label for one in mentions if one.kind in ("document", "set")]

    def by_words() -> Intent:
        web = recent(message, labels, tools.today) or any(one.kind == "web" for one in mentions)
        return by_rules(message, mentions, earlier, listing).model_copy(update={"web": web})

    ruled = await run_long(by_words, len(message), SHORT_MESSAGE)
    if tools.model is None or ruled.confidence == "high":
        return Understood(ruled)
    request = request_of(message, labels)
    return await _by_model(tools.model, ruled, request, mentions, earlier, listing)


def by_rules(
    message: str, mentions: Sequence[Mention], earlier: Sequence[Turned], listing: Listing
) -> Intent:
    """What the words and the tagged actions say. A message that only goes on with the one before ("and
    this one?") wants what that wanted.
    """
    tagged = tuple(one for one in ACTIONS if _tagged(one, mentions))
    if tagged:
        return Intent(
            action=tagged[0], confidence="high", candidates=tagged, several=len(tagged) > 1
        )
    labels = [one.label for one in mentions if one.kind in ("document", "set")]
    documents = len({one.id for one in mentions if one.kind == "document"})
    request = _named(request_of(message, labels), listing)
    intent = judged(request, lambda words: _known(listing, words), documents)
    if not request.goes_on:
        return intent
    before = next((one.text for one in reversed(earlier) if one.role == "user"), "")
    meant = judged(_named(request_of(before), listing))
    if not before or meant.confidence == "low" or meant.several:
        return intent
    others = dict.fromkeys([meant.action, *intent.candidates])
    return Intent(action=meant.action, confidence="medium", candidates=tuple(others))


async def _by_model(
    model: Model,
    ruled: Intent,
    request: Request,
    mentions: Sequence[Mention],
    earlier: Sequence[Turned],
    listing: Listing,
) -> Understood:
    """Asked by the one message; where that leaves a doubt, once more with what was said before."""
    best, documents, asked = ruled, None, 0
    try:
        asked = 1
        best = intent_by(await first(model, request), asked)
        if best.confidence != "high" or best.several:
            asked = 2
            reply = await second(model, request, mentions, earlier, listing)
            best = intent_by(reply, asked)
            documents = read(
                reply.documents, mentions, listing, shown(request, mentions, earlier, listing)
            )
    except (ModelFailed, BudgetReached) as error:
        notice = f"The model could not be asked: {error.title}."
        best = best.model_copy(update={"asked": asked, "notice": notice})
    web = ruled.web or best.web
    return Understood(_checked(best, request).model_copy(update={"web": web}), documents)


def _checked(intent: Intent, request: Request) -> Intent:
    """A summary of a topic is the answer to a question, whatever a model made of it."""
    if intent.action != "summarize" or intent.several or not plainly_of_topic(request):
        return intent
    candidates = dict.fromkeys(["inquire", *intent.candidates])
    return intent.model_copy(update={"action": "inquire", "candidates": tuple(candidates)})


def _tagged(action: str, mentions: Sequence[Mention]) -> bool:
    return any(one.kind == "action" and one.id == action for one in mentions)


def _named(request: Request, listing: Listing) -> Request:
    return replace(request, text=with_titles_marked(spelt(request.text), listing))


def _known(listing: Listing, words: Sequence[str]) -> bool:
    """Whether the words are most of a title."""
    said = [one.text for one in words_of(" ".join(words))]
    ready = listing.ready
    return any(len(said) >= _MOST_OF * len(ready.words[place]) for place in ready.fitting(said))
