"""The process's logs, caught as text and put back as they were."""

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest
import structlog
from structlog.testing import LogCapture
from structlog.typing import EventDict

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


def capture_module_log(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> list[EventDict]:
    """The lines that a module logs from now on, of every level.

    `structlog.testing.capture_logs` sees only what the process's log level lets through, and in a
    process of many tests that is the level of the server that was started last.
    """
    capture = LogCapture()
    logger = structlog.wrap_logger(None, [capture], structlog.make_filtering_bound_logger(0))
    monkeypatch.setattr(module, "log", logger)
    return capture.entries
