"""LangFuse as one of those who watch: traces, generations and scores; off without its keys."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import structlog

from app.domain.metrics.telemetry import ModelExchange, RunReport, Satisfaction
from app.domain.metrics.usage import UsageRecord
from app.observability.langfuse_config import Misconfigured, configured
from app.observability.langfuse_sending import Sender, Wire
from app.observability.release import release
from app.settings import Settings

log = structlog.get_logger(__name__)

END_S = 1.2  # with Sentry, which ends after it: within two seconds together
ROUGHLY = 1_000  # characters of what is told besides its words


class LangfuseObserver:
    """Hands on what it is told to a thread that sends it, within some microseconds."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    @property
    def dropped(self) -> int:
        """What was lost since the process began."""
        return self._sender.dropped

    @property
    def waiting(self) -> int:
        """What is not sent yet."""
        return self._sender.waiting

    def called(self, record: UsageRecord, exchange: ModelExchange | None) -> None:
        """A call over the wire has ended."""
        words = (exchange.system, exchange.prompt, exchange.reply) if exchange else ()
        self._sender.tell((record, exchange), ROUGHLY + sum(map(len, words)))

    def passed(self, report: RunReport) -> None:
        """A pass through the graph has ended."""
        self._sender.tell(
            report, ROUGHLY * (1 + len(report.nodes)) + len(report.goal + report.said)
        )

    def rated(self, given: Satisfaction) -> None:
        """A person said what they think of an answer."""
        self._sender.tell(given, ROUGHLY + len(given.comment))


@asynccontextmanager
async def open_langfuse(settings: Settings) -> AsyncIterator[LangfuseObserver | None]:
    """LangFuse, sending until the end; None where the settings do not name it, or not well."""
    wire = await asyncio.to_thread(_wire, settings)
    if wire is None:
        yield None
        return
    sender = Sender(wire)
    sender.start()
    try:
        yield LangfuseObserver(sender)
    finally:
        await asyncio.to_thread(sender.end, END_S)


def _wire(settings: Settings) -> Wire | None:
    """What sends, None for nothing to send with: that is no reason not to start."""
    try:
        config = configured(settings, release=release())
        if config is None:
            return None
        # Its import takes seconds: off the event loop, and only where it is used.
        from app.observability.langfuse_sdk import LangfuseSdk  # noqa: PLC0415

        return LangfuseSdk(config)
    except Misconfigured as error:
        log.warning("langfuse is off", reason=str(error))
    except Exception:
        log.exception("langfuse is off")
    return None
