"""From what a model wrote to a validated reply: fences, text around, trailing commas, a lost brace."""

import json
from collections.abc import Iterator

import json_repair
from pydantic import ValidationError

from app.llm.port import Reply
from app.llm.providers.transport import Answer
from app.text import patterns

READ_CHARS = 64_000  # ten times the longest reply asked for; nothing longer is looked at
REPAIR_CHARS = 8_000  # json-repair is quadratic: 1.5 s for 8,000 chars at worst, 14 s for 32,000
SHOWN_ERRORS = 5
SHOWN_CHARS = 500
OPEN, CLOSED = "string opens", "string closes"
_ODD = patterns.compile(r"[^\w.\[\]-]")


class UnusableReply(Exception):
    """The reply is not of the asked shape; the message tells the model what is wrong with it."""

    def __init__(self, flaw: str, *, cut: bool = False) -> None:
        super().__init__(flaw)
        self.cut = cut


def read(answer: Answer, reply: type[Reply]) -> Reply:
    """The reply in that answer. Raises `UnusableReply`.

    A text that was cut is never completed: half a value would be typed as if it were whole.
    """
    if not answer.text.strip():
        raise _cut() if answer.cut else UnusableReply(answer.flaw or "it was empty")
    if len(answer.text) > READ_CHARS:
        raise UnusableReply("it was far too long")
    return _validated(_found(answer.text, cut=answer.cut), reply)


def _found(text: str, *, cut: bool = False) -> object:
    inner = _inner(text)
    try:
        return json.loads(inner)
    except (ValueError, RecursionError):
        pass
    if cut:
        raise _cut()
    if len(inner) > REPAIR_CHARS or not inner.startswith("{"):
        raise UnusableReply("it was not JSON")
    if _ends_inside(inner):
        raise UnusableReply("it was half a JSON object")
    try:
        return json_repair.loads(inner)
    except (ValueError, RecursionError) as error:
        raise UnusableReply("it was not JSON") from error


def _cut() -> UnusableReply:
    return UnusableReply("it was cut off at its length limit; answer shorter", cut=True)


def _inner(text: str) -> str:
    """The first object in the text, with or without a fence; to the end where it is not closed."""
    start = text.find("{")
    if start < 0:
        return text
    depth = 0
    for place, sign in _signs(text[start:]):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth == 0:
            return text[start : start + place + 1]
    return text[start:].rstrip().removesuffix("```").rstrip()


def _ends_inside(text: str) -> bool:
    """Whether a JSON text ends where more was to come: in a string or number, after a comma.

    Lost closing brackets are no such end: small models forget them.
    """
    *_, (_, last) = _signs(text)
    return last not in {CLOSED, "}", "]"}


def _signs(text: str) -> Iterator[tuple[int, str]]:
    """Each visible character outside strings with its place; strings as `OPEN` and `CLOSED`."""
    within = escaped = False
    for place, sign in enumerate(text):
        if escaped:
            escaped = False
        elif within and sign == "\\":
            escaped = True
        elif sign == '"':
            within = not within
            yield place, OPEN if within else CLOSED
        elif not within and not sign.isspace():
            yield place, sign


def _validated(found: object, reply: type[Reply]) -> Reply:
    try:
        return reply.model_validate_json(json.dumps(found))
    except ValidationError as error:
        raise UnusableReply(_told(error)) from error
    except (ValueError, RecursionError) as error:
        raise UnusableReply("it was not JSON") from error


def _told(error: ValidationError) -> str:
    """Each place and what is wrong there, without what stood there: that may be a page's words."""
    lines = [
        f"{_place(one['loc'])}{one['msg']}"
        for one in error.errors(include_input=False, include_url=False)[:SHOWN_ERRORS]
    ]
    return "; ".join(lines)[:SHOWN_CHARS]


def _place(loc: tuple[int | str, ...]) -> str:
    """Where, in the characters of field names: a key may be the model's own invention."""
    place = _ODD.sub("", ".".join(str(part) for part in loc))[:60]
    return f"{place}: " if place else ""
