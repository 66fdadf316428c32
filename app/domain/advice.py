"""What operators decided before, as the next similar task or question hears of it."""

from datetime import UTC, datetime
from typing import Literal

from app.domain.base import Value


class Judged(Value):
    """What an operator decided of the task that something was learned from; `at_ms` is when (epoch
    milliseconds).
    """

    record_id: str
    decision: Literal["approved", "rejected"]
    notes: str
    at_ms: int

    @property
    def line(self) -> str:
        """As it is told with what was learned, with its reference."""
        return f"An operator {self.decision} this: {self.notes} ({self.record_id})"


class Advice(Value):
    """One decision about something similar: of whom, when (epoch milliseconds), about what, and why."""

    record_id: str
    decision: Literal["approved", "rejected"]
    about: str
    notes: str
    operator: str
    decided_at_ms: int
    site: str = ""

    @property
    def line(self) -> str:
        """As a person reads it, with its reference."""
        day = datetime.fromtimestamp(self.decided_at_ms / 1000, UTC).date().isoformat()
        return (
            f"An operator decided: “{self.about}” was {self.decision} by {self.operator} on {day}: "
            f"{self.notes} ({self.record_id})"
        )
