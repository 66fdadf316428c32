"""Moments as the store keeps them."""

from datetime import UTC, datetime, timedelta

TICK = timedelta(milliseconds=1)  # what it tells apart


def moment() -> datetime:
    """Now, to the millisecond: what is written comes back equal."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1_000 * 1_000)
