"""Who pays, what was called, and who is told, for tests of what is on record."""

from app.domain.metrics.usage import CallUsage, UsageRecord
from app.store.repositories import Store
from app.usage.meter import Spender

ME = Spender(
    tenant="a",
    user="u",
    session_id="s",
    task_id="t",
    trace_id="tr",
    request_id="r",
    message_id="m",
    step_index=3,
)


class Watching:
    """An observer that keeps the rows it is told of."""

    def __init__(self):
        self.rows: list[UsageRecord] = []

    def on_call(self, record, exchange):
        self.rows.append(record)

    def on_run(self, report):
        """Not looked at here."""

    def on_rating(self, given):
        """Nor this."""


async def nowhere(calls):
    """A store that nothing is written to: the service is never started here."""
    raise AssertionError(Store)


def usage(**over):
    given = {
        "provider": "gemini",
        "model": "gemini-3-flash-preview",
        "purpose": "opening",
        "input_tokens": 1_000,
        "cached_tokens": 200,
        "output_tokens": 100,
        "thinking_tokens": 50,
        "duration_ms": 12.5,
    }
    return CallUsage(**(given | over))


def search(**over):
    given = {"kind": "search", "provider": "tavily", "model": "search", "purpose": "searching"}
    return CallUsage(**(given | {"credits": 1.0} | over))
