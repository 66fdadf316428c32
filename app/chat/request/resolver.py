"""A message understood: by code where it is plain, by one call of a model where it is not."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.documents.library import Listing
from app.chat.request.model import (
    LONGEST_QUESTION,
    intent_of,
    request,
    resolution_of,
    shorten,
    shown_of,
)
from app.chat.request.plain import read_explicitly, without_model
from app.chat.tools import Tools
from app.domain.chat import ChatAction, ChatTurn, Intent, Mention, Resolution
from app.errors import BudgetReached, ModelFailed


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
    """The message without its mentions; `action` is one that was chosen. No model is asked where the action
    and the documents are told by code; one that is away leaves what code tells, and says so.
    """
    told = read_explicitly(plain, mentions, listing, action)
    settled = told.whole or (action is not None and (told.tagged or not plain.strip()))
    settled = settled or (told.tagged and not plain.strip())
    if tools.model is None or settled:
        return _by_code(plain, mentions, listing, action)
    shown = shown_of(plain, mentions, earlier, listing)
    try:
        reply = await tools.model.ask(request(plain, mentions, earlier, listing, shown, action))
    except (ModelFailed, BudgetReached) as error:
        notice = f"The model could not be asked what is meant: {error.detail}"
        return _by_code(plain, mentions, listing, action, notice)
    return Understood(intent_of(reply, plain, action), resolution_of(reply, told.sure, shown))


def _by_code(
    plain: str,
    mentions: Sequence[Mention],
    listing: Listing,
    action: ChatAction | None,
    notice: str = "",
) -> Understood:
    does, documents = without_model(plain, mentions, listing, action)
    question = shorten(plain.strip(), LONGEST_QUESTION)
    return Understood(Intent(action=does, question=question, notice=notice), documents)
