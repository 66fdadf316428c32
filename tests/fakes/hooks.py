"""Hooks of ports that cost, for tests of something else, and for those that look at what is told."""

from app.domain.metrics.telemetry import ModelExchange
from app.domain.metrics.usage import CallUsage


def unheard(usage: CallUsage, exchange: ModelExchange | None = None) -> None:
    """Nobody is told."""


class Heard(list[CallUsage]):
    """What was told, in order; the words of each call are in `exchanges`."""

    def __init__(self) -> None:
        super().__init__()
        self.exchanges: list[ModelExchange | None] = []

    def __call__(self, usage: CallUsage, exchange: ModelExchange | None = None) -> None:
        self.append(usage)
        self.exchanges.append(exchange)
