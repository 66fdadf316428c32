"""What a clause asks for, and what it stands in."""

from dataclasses import dataclass

from app.chat.intent.topic import Known
from app.domain.chat import ChatAction

SURE, LIKELY, MAYBE = 3, 2, 1


@dataclass(frozen=True, slots=True)
class Sign:
    """An action that a clause asks for, how surely, and what else it may mean."""

    action: ChatAction
    weight: int
    others: tuple[ChatAction, ...] = ()


@dataclass(frozen=True, slots=True)
class Around:
    """What a clause stands in: all that is asked, how many documents are named, whether a text came along,
    and which titles there are.
    """

    text: str
    documents: int
    source: bool
    known: Known
