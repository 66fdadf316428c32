"""Long repetitive texts, in every text field of a body: what makes a regular expression backtrack."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

LENGTH = 20_000  # characters, the longest accepted text
PATTERNS = (
    " ",
    "\n",
    "\t ",
    "(",
    "( ",
    "[1",
    "a",
    "A",
    "aA",
    "a ",
    "a.",
    "a@",
    "a-",
    "1",
    "1 ",
    "1.",
    "-",
    "--",
    "'",
    '"',
    "<",
    "<a ",
    "&",
    "ctrl+",
    "http://",
    "//",
    "@",
    ", ",
    "and ",
    "x='y' ",
    "\u05d0",
    "\u00e9 ",
    "\u200b",
    "\u4e00",
)


def make_long_bodies(real: Sequence[dict[str, Any]]) -> Iterator[tuple[str, bytes]]:
    """Each field with each pattern, named; ids and modes are left unchanged."""
    for number, body in enumerate(real):
        for path in _texts(body):
            for pattern in PATTERNS:
                text = (pattern * (LENGTH // len(pattern)))[:LENGTH]
                named = f"{number} {'.'.join(map(str, path))} {pattern!r}"
                changed = _with(body, path, text) | {"requestId": f"nasty-{abs(hash(named)):x}"}
                yield named, json.dumps(changed).encode()


# Fields that are no free text, and fields with their own limit (characters).
KEPT = {"i", "requestId", "domMode", "taskId", "hitlId", "lastActionId", "lastActionStatus", "type"}
BOUND = {"url": 8_000, "query": 9_000, "pageSummary": 4_000}


def _texts(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of texts; for equal items of a list, those of the first."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in KEPT:
                yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        seen: set[str] = set()
        for at, inner in enumerate(value):
            kind = str(sorted(inner)) if isinstance(inner, dict) else type(inner).__name__
            if kind not in seen:
                seen.add(kind)
                yield from _texts(inner, (*path, at))
    elif isinstance(value, str):
        yield path


def _with(body: dict[str, Any], path: tuple[str | int, ...], text: str) -> dict[str, Any]:
    changed: Any = json.loads(json.dumps(body))
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = text[: BOUND.get(str(path[-1]), LENGTH)]
    return dict(changed)
