"""What to try when an action did not do what it was meant to, and when to stop trying."""

from app.recovery.correction.case import (  # fmt: skip
    MAX_FAILURES,
    MAX_RETRIES,
    attempts,
    failures_in_a_row,
    limit_reached,
    tried,
)
from app.recovery.correction.proposals import propose

__all__ = [
    "MAX_FAILURES", "MAX_RETRIES", "attempts", "failures_in_a_row", "limit_reached", "propose", "tried",
]  # fmt: skip
