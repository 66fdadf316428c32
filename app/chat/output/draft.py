"""The draft of an answer, shown while a model writes it."""

from dataclasses import dataclass
from typing import Literal

from app.domain.chat import ChatCitation
from app.runs import LiveRun

State = Literal["pending", "cited", "unsupported"]
"""`cited`: its quotes were found; `unsupported`: code rejected it. Both may change until the answer ends."""


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """A claim as it was last sent."""

    text: str
    state: State = "pending"
    reason: str = ""
    citations: tuple[ChatCitation, ...] = ()


class Draft:
    """The draft of one turn, sent to the listeners of its run."""

    def __init__(self, thread_id: str, live: LiveRun) -> None:
        self._thread_id = thread_id
        self._live = live
        self.claims: list[DraftClaim] = []

    async def update_claim(self, number: int, claim: DraftClaim) -> None:
        """Set the claim with this number, counted from 1."""
        if self.claims[number - 1 : number] == [claim]:
            return
        self.claims[number - 1 : number] = [claim]
        event = {"type": "claim", "number": number, "text": claim.text, "state": claim.state}
        citations = [one.model_dump(mode="json") for one in claim.citations]
        event |= {"reason": claim.reason, "citations": citations, "thread_id": self._thread_id}
        await self._live.emit(event, draft=number)

    async def restart(self, message: str) -> None:
        """Discard all claims; `message` tells the person why."""
        if self.claims:
            self.claims.clear()
            event = {"type": "restart", "message": message, "thread_id": self._thread_id}
            await self._live.emit(event, draft=0)


def discarded_draft() -> Draft:
    """A draft without listeners."""
    return Draft("", LiveRun(""))
