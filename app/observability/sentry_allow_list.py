"""Allow-list for Sentry events: only names and code locations are sent.

Exception messages are dropped too: a validation error quotes its input, a key error may quote a page.
The type, the location and the trail of the run remain.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from app.text import patterns

PLAIN = ("event_id", "timestamp", "level", "platform", "release", "environment")
FRAME = ("filename", "function", "module", "lineno", "in_app")
MECHANISM = ("type", "handled", "exception_id", "parent_id", "is_exception_group")
CRUMBS = frozenset({"node", "call", "answer"})
CRUMB_DATA = frozenset({"outcome", "status", "kind"})
MOST_FRAMES, MOST_CRUMBS = 100, 100

_NAME = patterns.compile(r"[A-Za-z0-9_.:@/<>+-]{1,200}", patterns.ASCII)
_TIME = patterns.compile(r"[0-9TZ:.+-]{10,40}", patterns.ASCII)
_WORD = patterns.compile(r"[A-Za-z0-9_-]{1,40}", patterns.ASCII)
_ID = patterns.compile(r"[A-Za-z0-9_.:@-]{1,64}", patterns.ASCII)
# A line of our logs.
_WORDS = patterns.compile(r"[a-z][a-z0-9_.]*(?:[ :-]+[a-z][a-z0-9_.]*){0,9}", patterns.ASCII)
TAGS = {"tenant": _ID, "task": _ID, "trace": _ID, "event": _WORDS}


def scrub_event(event: Mapping[str, Any]) -> dict[str, Any]:
    """A new event with only the allowed fields."""
    allowed: dict[str, Any] = {key: event[key] for key in PLAIN if _matches(_NAME, event.get(key))}
    sdk = _dict(event.get("sdk"))
    allowed["sdk"] = {key: sdk[key] for key in ("name", "version") if _matches(_ID, sdk.get(key))}
    allowed["tags"] = _scrub_tags(event.get("tags"))
    allowed["exception"] = {
        "values": [_scrub_exception(one) for one in _values(event.get("exception"))]
    }
    crumbs = [scrub_breadcrumb(one) for one in _values(event.get("breadcrumbs"))]
    allowed["breadcrumbs"] = {"values": [one for one in crumbs if one][-MOST_CRUMBS:]}
    return allowed


def scrub_breadcrumb(crumb: Mapping[str, Any]) -> dict[str, Any] | None:
    """The breadcrumb with its names only; None if it is not ours."""
    if crumb.get("category") not in CRUMBS or not _matches(_WORD, crumb.get("message")):
        return None
    allowed = {"category": crumb["category"], "message": crumb["message"]}
    at = crumb.get("timestamp")
    allowed |= {"timestamp": at} if isinstance(at, datetime) or _matches(_TIME, at) else {}
    allowed["data"] = {
        key: value
        for key, value in _dict(crumb.get("data")).items()
        if key in CRUMB_DATA and _matches(_WORD, value)
    }
    return allowed


def _scrub_exception(exception: Mapping[str, Any]) -> dict[str, Any]:
    mechanism = _dict(exception.get("mechanism"))
    frames = _list(_dict(exception.get("stacktrace")).get("frames"))
    return {
        "type": exception.get("type") if _matches(_NAME, exception.get("type")) else None,
        "module": exception.get("module") if _matches(_NAME, exception.get("module")) else None,
        "mechanism": {
            key: mechanism[key]
            for key in MECHANISM
            if isinstance(mechanism.get(key), bool | int) or _matches(_WORD, mechanism.get(key))
        },
        "stacktrace": {"frames": [_scrub_frame(frame) for frame in frames[-MOST_FRAMES:]]},
    }


def _scrub_frame(frame: Mapping[str, Any]) -> dict[str, Any]:
    """A code location without the local directory."""
    file = str(frame.get("filename") or "").replace("\\", "/").split("/")
    frame = {**frame, "filename": "/".join(file[-3:])}
    return {
        key: value
        for key, value in ((key, frame.get(key)) for key in FRAME)
        if isinstance(value, bool | int) or _matches(_NAME, value)
    }


def _scrub_tags(value: object) -> dict[str, str]:
    """Sentry's tags are a mapping or a list of pairs."""
    listed = value if isinstance(value, list) else []
    pairs = [one for one in listed if isinstance(one, list | tuple) and len(one) == 2]
    known = _dict(value) or {one: value for one, value in pairs if isinstance(one, str)}
    return {tag: known[tag] for tag, shape in TAGS.items() if _matches(shape, known.get(tag))}


def _values(value: object) -> list[Mapping[str, Any]]:
    """Sentry's lists are plain or wrapped in `{"values": [...]}`."""
    return _list(value.get("values") if isinstance(value, Mapping) else value)


def _list(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _matches(shape: patterns.Pattern, value: object) -> bool:
    return isinstance(value, str) and shape.fullmatch(value) is not None
