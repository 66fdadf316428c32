"""Corrections after a failed action, and when to stop."""

from app.recovery.correction.case import (  # fmt: skip
    MAX_FAILURES,
    MAX_RETRIES,
    count_attempts,
    count_failures_in_a_row,
    describe_attempts,
    find_limit_error,
)
from app.recovery.correction.proposals import propose_correction

__all__ = [
    "MAX_FAILURES",
    "MAX_RETRIES",
    "count_attempts",
    "count_failures_in_a_row",
    "describe_attempts",
    "find_limit_error",
    "propose_correction",
]  # fmt: skip
