"""Ids of traces: 32 hex digits that say when the trace began, so that any process knows."""

import secrets
import time
from datetime import UTC, datetime

_VERSION, _VARIANT = 0x7, 0b10


def new_trace_id() -> str:
    """A UUID of version 7 (RFC 9562, section 5.7): milliseconds since 1970, then 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    high = milliseconds << 16 | _VERSION << 12 | secrets.randbits(12)
    return f"{high << 64 | _VARIANT << 62 | secrets.randbits(62):032x}"


def is_trace_id(text: str) -> bool:
    """Whether it is one that OpenTelemetry takes: 32 lower hex digits, not all of them 0."""
    return len(text) == 32 and set(text) <= set("0123456789abcdef") and set(text) != {"0"}


def began_at(trace_id: str) -> datetime | None:
    """When the trace began; None for an id that does not say."""
    if not is_trace_id(trace_id) or int(trace_id[12], 16) != _VERSION:
        return None
    try:
        return datetime.fromtimestamp(int(trace_id[:12], 16) / 1000, UTC)
    except (ValueError, OverflowError, OSError):  # a year that is none: it only looks like one
        return None
