"""How an answer is kept for whoever sends its request again."""

from typing import Any

from app.domain.base import Value
from app.errors import TabwrightError, error_of


class StoredResponse(Value):
    """An answer as it is kept. `partial`: a secret was left out of the event."""

    event: dict[str, Any]
    partial: bool = False
    code: str | None = None
    detail: str = ""
    hand_over: str | None = None

    @staticmethod
    def of_failure(event: dict[str, Any], failure: TabwrightError) -> "StoredResponse":
        """The event of a run that a limit ended, and what ended it."""
        told = {"code": failure.code, "detail": failure.detail, "hand_over": failure.hand_over}
        return StoredResponse(event=event, **told)

    @property
    def failure(self) -> TabwrightError | None:
        """What ended the run, if a limit did."""
        return error_of(self.code, self.detail, hand_over=self.hand_over) if self.code else None
