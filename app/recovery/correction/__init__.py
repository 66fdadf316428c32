"""What to try when an action did not do what it was meant to, and when to stop trying."""

from app.recovery.correction.limits import (
    MAX_FAILURES,
    MAX_RETRIES,
    attempts,
    failures_in_a_row,
    limit_reached,
    tried,
)  # fmt: skip
from app.recovery.correction.propose import propose

__all__ = [
    "MAX_FAILURES", "MAX_RETRIES", "attempts", "failures_in_a_row", "limit_reached", "propose", "tried",
]  # fmt: skip
