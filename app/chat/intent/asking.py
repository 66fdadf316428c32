"""What a model is asked about a message: its action, and the second time its documents too."""

from collections.abc import Sequence

from pydantic import BaseModel

from app.chat.documents import Listing
from app.chat.documents.model import DocResolution, documents_parts, shown_to
from app.chat.intent.request import DOC, QUOTE, TEXT, Request
from app.domain.chat import ACTIONS, ChatAction, DocumentRef, Intent, Mention, Turned
from app.domain.knowledge import Confidence
from app.llm.fence import NAME, new_tag
from app.llm.port import Model, ModelRequest
from app.llm.prompting import fill
from app.llm.writing import Writing, joined

TEMPLATE = "intent.v1"

MAX_OUTPUT = 200  # tokens
MAX_OUTPUT_BOTH = 400  # with the documents
_LONGEST = 1_500  # characters of the request that a model reads, from both ends
_LONGEST_HANDED = 300  # of what was pasted or quoted: enough to see what it is
_MARKS = str.maketrans({DOC: "[document]", QUOTE: "[quoted]", TEXT: "[pasted text]"})
_LONGEST_REASONING = 400  # characters that are kept of it
_WORDS = 15  # of a reasoning, at most


class Meant(BaseModel):
    """The intent, as a model says it."""

    action: ChatAction
    confidence: Confidence
    enable_web_search: bool
    multi_action_detected: bool
    candidates: list[ChatAction]
    reasoning: str


class MeantOf(Meant):
    """The intent with the documents that the message means."""

    documents: DocResolution


async def first(model: Model, request: Request) -> Meant:
    """By the one message. Raises `ModelFailed`, `BudgetReached`."""
    write = Writing(new_tag())
    prompt = joined([write.trusted("Message", _shown(request)), _handed(write, request)])
    return await model.ask(
        ModelRequest(
            purpose="intent",
            system=system(),
            template=TEMPLATE,
            prompt=prompt,
            reply=Meant,
            tier="fast",
            max_output_tokens=MAX_OUTPUT,
        )
    )


async def second(
    model: Model,
    request: Request,
    mentions: Sequence[Mention],
    earlier: Sequence[Turned],
    listing: Listing,
) -> MeantOf:
    """By the last five messages, with the documents. Raises `ModelFailed`, `BudgetReached`."""
    write = Writing(new_tag())
    parts = documents_parts(write, _shown(request), mentions, earlier, listing, five=True)
    return await model.ask(
        ModelRequest(
            purpose="intent",
            system=system(),
            template=TEMPLATE,
            prompt=joined([*parts, _handed(write, request)]),
            reply=MeantOf,
            tier="fast",
            max_output_tokens=MAX_OUTPUT_BOTH,
        )
    )


def shown(
    request: Request, mentions: Sequence[Mention], earlier: Sequence[Turned], listing: Listing
) -> tuple[DocumentRef, ...]:
    """The documents that the second call shows."""
    return shown_to(_shown(request), mentions, earlier, listing, five=True)


def system() -> str:
    """What every such call shares, word for word."""
    return fill(TEMPLATE, fence=NAME, words=str(_WORDS))


def intent_by(reply: Meant, asked: int) -> Intent:
    """The reply as an intent. Candidates are told once each, its action among them."""
    several = tuple(dict.fromkeys(reply.candidates))
    candidates = several if reply.action in several else (reply.action, *several)
    return Intent(
        action=reply.action,
        confidence=reply.confidence,
        candidates=candidates[: len(ACTIONS)],
        several=reply.multi_action_detected and len(candidates) > 1,
        web=reply.enable_web_search,
        asked=asked,
        reasoning=reply.reasoning[:_LONGEST_REASONING],
    )


def _shown(request: Request) -> str:
    """The request in the person's words; what was taken out of it is named."""
    text = "" if request.whole else request.text
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]}\n{TEXT}\n{text[-_LONGEST // 2 :]}"
    return text.translate(_MARKS).strip() or "[quoted]"


def _handed(write: Writing, request: Request) -> str:
    return write.fenced("Quoted or pasted in it", "\n".join(request.handed)[:_LONGEST_HANDED])
