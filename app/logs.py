r"""Logging: one line per event on standard error, as JSON or for a terminal, for us and libraries
alike.

Clients cannot forge lines: control and formatting characters are escaped (`\u202e`). Values are
bounded. Lines carry `traceId`, `taskId` and `tenantId` if known. Goals, page text, bodies and query
strings are never logged.
"""

import json
import logging
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TextIO, cast

import structlog
from structlog.contextvars import bind_contextvars
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import EventDict, ExcInfo, Processor, WrappedLogger

from app.text import patterns

LONGEST_ERROR = 200  # characters of an exception's message; a validation error quotes its input
LONGEST = 500  # characters per value
LONGEST_NAME = 64
MOST = 40  # fields per line, items per list
DEEPEST = 4
QUOTING = frozenset({"ValidationError", "JSONDecodeError", "OutputParserException"})
FIRST = ("timestamp", "level", "event")
LOUD = ("uvicorn.error",)  # logged from "info" on; other libraries from "warning" on
HIDDEN = "***"
SECRET_NAMES = patterns.compile(
    r"pass(word|wd)?$|secret|authori[sz]ation|cookie|api_?key|token$|^dsn$|_uri$",
    patterns.IGNORECASE,
)

# Characters that end a line, move a cursor, change the writing direction, or are invisible.
_UNSAFE = patterns.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
_SECRETS = (
    (patterns.compile(r"(?i)\b(bearer|basic)\s+[^\s\"',]+"), rf"\1 {HIDDEN}"),
    (patterns.compile(r"(\w+://)[^\s/@]+@"), rf"\1{HIDDEN}@"),
    (patterns.compile(r"(\w+://[^\s?#\"']+)[?#][^\s\"']*"), rf"\1?{HIDDEN}"),
    (patterns.compile(r"\b(?:tw_|sk-|pk-|tvly-|AIza)[A-Za-z0-9_-]{12,}"), HIDDEN),
)
_SUSPECT = patterns.compile(rf"{_UNSAFE.pattern}|://|tw_|sk-|pk-|tvly-|AIza|(?i:bearer|basic)")
_frames = ExceptionDictTransformer(show_locals=False)
_hook: Callable[[BaseException, Mapping[str, Any]], None] | None = None


def describe_traceback(exc_info: ExcInfo) -> list[dict[str, Any]]:
    """Format a traceback as code locations only: locals contain goals, page text, answers and keys."""
    described = _frames(exc_info)
    for one in described:
        quotes = one["exc_type"] in QUOTING
        one["exc_value"] = "" if quotes else str(one["exc_value"])[:LONGEST_ERROR]
    return described


def bind_context(*, trace: str = "", tenant: str = "", task: str = "") -> None:
    """Add context to all log lines of this task and those it starts."""
    known = {"traceId": trace, "tenantId": tenant, "taskId": task}
    bind_contextvars(**{name: value for name, value in known.items() if value})


def sanitize(text: str, longest: int = LONGEST) -> str:
    """Redact known secrets, escape control characters, and cut a long text in the middle."""
    if len(text) <= longest:
        return text if _SUSPECT.search(text) is None else _harmless(text)
    # Redact before cutting, with a margin, so that a secret at the cut is recognized.
    begin, end = _harmless(text[:longest]), _harmless(text[-longest:])
    return f"{begin[: longest * 2 // 3]}…{end[-longest // 3 :]}"


def _harmless(text: str) -> str:
    for shape, instead in _SECRETS:
        text = shape.sub(instead, text)
    return _UNSAFE.sub(_escaped, text)


def _escaped(found: patterns.Match) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def limit_fields(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Processor: sanitize every field, limit number and depth, and hide those with secret names."""
    first = {name: event.pop(name) for name in FIRST if name in event}
    return _fields({**first, **event}, 0)


def add_exception(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Processor: add the `exception`, with the innermost frames of each of its causes."""
    given = event.pop("exc_info", None)
    info = sys.exc_info() if given is True else given
    if isinstance(info, BaseException):
        info = (type(info), info, info.__traceback__)
    if isinstance(info, tuple) and info[0] is not None:
        if (
            _hook is not None
            and info[1] is not None
            and event.get("level") in {"error", "critical"}
        ):
            with suppress(Exception):  # the line is written even if the hook fails
                _hook(info[1], dict(event))
        event["exception"] = [
            f"{one['exc_type']}: {one['exc_value']} at {_locations(one['frames'])}"
            for one in describe_traceback(info)
        ]
    return event


def set_exception_hook(hook: Callable[[BaseException, Mapping[str, Any]], None] | None) -> None:
    """Call the hook for every exception that is logged as an error, with the fields of its line."""
    global _hook
    _hook = hook


def _locations(frames: list[dict[str, Any]]) -> str:
    """The last frames, innermost first, by the ends of their paths: the local directory is private."""
    return " < ".join(
        f"{'/'.join(Path(one['filename']).parts[-3:])}:{one['lineno']} {one['name']}"
        for one in reversed(frames[-12:])
    )


def _fields(given: Mapping[str, Any], depth: int) -> dict[str, Any]:
    named = ((*_named(str(name)), value) for name, value in list(given.items())[:MOST])
    return {name: HIDDEN if secret else _plain(value, depth) for name, secret, value in named}


@lru_cache(maxsize=512)
def _named(name: str) -> tuple[str, bool]:
    """The sanitized name of a field, and whether it names a secret."""
    return sanitize(name, LONGEST_NAME), SECRET_NAMES.search(name) is not None


def _plain(value: object, depth: int = 0) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping) and depth < DEEPEST:
        return _fields(value, depth + 1)
    if isinstance(value, list | tuple | set | frozenset) and depth < DEEPEST:
        return [_plain(one, depth + 1) for one in list(value)[:MOST]]
    longest = LONGEST * 3 if depth else LONGEST  # the frames of a traceback are list items
    return sanitize(value if isinstance(value, str) else repr(value), longest)


def render_for_terminal(_: WrappedLogger, __: str, event: EventDict) -> str:
    """Renderer: time, level and event, then `name=value`; exceptions below, indented."""
    thrown = event.pop("exception", ())
    words = [
        str(event.pop("timestamp", ""))[11:23],
        str(event.pop("level", "")).ljust(7),
        str(event.pop("event", "")),
        *(f"{name}={_quoted(value)}" for name, value in event.items()),
    ]
    return "\n    ".join([" ".join(words), *map(str, thrown)])


def _quoted(value: object) -> str:
    """As JSON; plain words without quotes."""
    if isinstance(value, str) and value and not set(value) & set(' "=\\'):
        return value
    return json.dumps(value, ensure_ascii=False)


def configure_logging(
    level: str = "info",
    shape: Literal["auto", "json", "console"] = "auto",
    stream: TextIO | None = None,
) -> None:
    """Configure logging for the process: ours by structlog, libraries' through the same processors.

    `level` applies to our loggers. Libraries log from "warning" on, since below that they print bodies
    and queries.
    """
    out = cast(TextIO, _LenientStream(stream or sys.stderr))
    console = shape == "console" or (shape == "auto" and out.isatty())
    render: Processor = (
        render_for_terminal if console else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    ending: list[Processor] = [add_exception, limit_fields, render]
    least = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*shared, *ending],
        wrapper_class=structlog.make_filtering_bound_logger(least),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=True,
    )
    _route_libraries(shared, ending, out, least)


class _LenientStream:
    """A stream that ignores write failures, such as a full disk."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._out.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._out.flush()

    def isatty(self) -> bool:
        return self._out.isatty()


def _is_logged(record: logging.LogRecord) -> bool:
    """Whether to log the line, whatever level a library set on its loggers."""
    if record.name in LOUD:  # the app reports why it did not start
        return "Traceback (most recent call last)" not in str(record.msg)
    return record.levelno >= logging.WARNING


def _route_libraries(
    shared: list[Processor], ending: list[Processor], out: TextIO, least: int
) -> None:
    handler = logging.StreamHandler(out)
    handler.addFilter(_is_logged)
    named: list[Processor] = [structlog.stdlib.add_logger_name]
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, *named],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *ending],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(least, logging.WARNING))
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(max(least, logging.INFO) if name in LOUD else logging.WARNING)
    logging.captureWarnings(capture=True)
