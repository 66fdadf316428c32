"""Logs: one JSON object a line on standard error."""

import logging
import sys
from typing import Any

import structlog
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import ExcInfo

LONGEST_ERROR = 200  # characters of an error's own text; that of a validation quotes what was sent
QUOTING = frozenset({"ValidationError", "JSONDecodeError", "OutputParserException"})

_frames = ExceptionDictTransformer(show_locals=False)


def without_values(exc_info: ExcInfo) -> list[dict[str, Any]]:
    """A traceback as places alone: a failed run's locals hold the goal, the page, answers and keys."""
    told = _frames(exc_info)
    for one in told:
        quotes = one["exc_type"] in QUOTING
        one["exc_value"] = "" if quotes else str(one["exc_value"])[:LONGEST_ERROR]
    return told


def configure_logging(level: int = logging.INFO) -> None:
    """Set structlog up for a process that serves."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.ExceptionRenderer(without_values),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
