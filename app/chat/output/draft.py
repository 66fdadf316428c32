"""What a person reads of an answer while it is made: claims as they are written, none of them checked yet."""

from dataclasses import dataclass
from typing import Literal

from app.domain.chat import ChatCitation
from app.runs import LiveRun

State = Literal["pending", "cited", "unsupported"]
"""`cited`: its quotes stand where they are said to; `unsupported`: code refused it, so far. Both are pending
until the answer has come.
"""


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """One claim as it was sent last."""

    text: str
    state: State = "pending"
    reason: str = ""
    citations: tuple[ChatCitation, ...] = ()


class Draft:
    """The draft of one turn, sent to the listeners of its run. A claim replaces the one with its number."""

    def __init__(self, thread_id: str, live: LiveRun) -> None:
        self._thread_id = thread_id
        self._live = live
        self.claims: list[DraftClaim] = []

    async def update_claim(self, number: int, claim: DraftClaim) -> None:
        """Set the claim with this number, from 1 on."""
        if self.claims[number - 1 : number] == [claim]:
            return
        self.claims[number - 1 : number] = [claim]
        event = {"type": "claim", "number": number, "text": claim.text, "state": claim.state}
        cited = [one.model_dump(mode="json") for one in claim.citations]
        event |= {"reason": claim.reason, "citations": cited, "thread_id": self._thread_id}
        await self._live.emit(event, draft=number)

    async def restart(self, message: str) -> None:
        """Discard what was sent, for this reason."""
        if self.claims:
            self.claims.clear()
            event = {"type": "restart", "message": message, "thread_id": self._thread_id}
            await self._live.emit(event, draft=0)


def discarded_draft() -> Draft:
    """A draft that nobody reads."""
    return Draft("", LiveRun(""))
