"""The process's logs, caught as text and put back as they were."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import structlog

LIBRARIES = ("", "uvicorn", "uvicorn.error", "uvicorn.access")


@contextmanager
def caught() -> Iterator[io.StringIO]:
    """Something to hand to `configure_logging` within."""
    before = structlog.get_config()
    loggers = [logging.getLogger(name) for name in LIBRARIES]
    state = [(one.handlers[:], one.level, one.propagate) for one in loggers]
    try:
        yield io.StringIO()
    finally:
        structlog.contextvars.clear_contextvars()
        structlog.configure(**before)
        for logger, (handlers, level, propagate) in zip(loggers, state, strict=True):
            logger.handlers[:], logger.propagate = handlers, propagate
            logger.setLevel(level)
        logging.captureWarnings(capture=False)
