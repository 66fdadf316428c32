"""What a script can hold besides plain replies: how a vendor's server behaves, well or badly.

A step is a reply (a pydantic model, dict or list: sent as JSON; a string: sent as it is), one of the
behaviours here, or a callable that makes either from the `Call`.
"""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

Gate = threading.Event  # what `held` waits for: `gate.set()` lets the answer go


@dataclass(frozen=True)
class Behaviour:
    """A way to answer."""


@dataclass(frozen=True)
class Say(Behaviour):
    """A reply of the model. `finish` is the vendor's word for why it stopped; `thinking` counts
    tokens; a `limited` reply ends at the request's own limit, as a real one does.
    """

    text: str | None
    finish: str = ""
    thinking: int = 0
    refusal: str | None = None
    limited: bool = True


@dataclass(frozen=True)
class Wait(Behaviour):
    """Nothing until the gate opens or the seconds are over, then `then`; None of both: never."""

    then: Any = None
    seconds: float | None = None
    gate: Gate | None = None


@dataclass(frozen=True)
class Cut(Behaviour):
    """The connection closes after this share of the body."""

    then: Any
    share: float = 0.5


@dataclass(frozen=True)
class Pieces(Behaviour):
    """A reply piece by piece: texts, and between them gates that are waited for. With `ends` False nothing
    says why it stopped; with `breaks` the connection does not outlive the last piece. `cut`: bytes that are
    sent at once, wherever that parts a letter.
    """

    parts: tuple[str | Gate, ...]
    ends: bool = True
    breaks: bool = False
    cut: int | None = None

    @property
    def texts(self) -> list[str]:
        return [one for one in self.parts if isinstance(one, str)]


@dataclass(frozen=True)
class Status(Behaviour):
    """An HTTP error; without a body, one in the vendor's shape."""

    code: int
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    message: str = ""


@dataclass(frozen=True)
class RateLimit(Behaviour):
    """Too many requests, in the vendor's shape."""

    retry_after: float


@dataclass(frozen=True)
class Raw(Behaviour):
    """A body that is what it is, with status 200."""

    content: str
    content_type: str = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Empty(Behaviour):
    """An answer without an answer: no candidate, or (`candidate`) one with nothing in it."""

    candidate: bool = False


@dataclass(frozen=True)
class Blocked(Behaviour):
    """The prompt itself was refused."""

    reason: str = "PROHIBITED_CONTENT"


def text_of(reply: Any) -> str:
    """A reply as the model would write it."""
    if isinstance(reply, str):
        return reply
    if isinstance(reply, BaseModel):
        return reply.model_dump_json(by_alias=True, exclude_unset=True)
    return json.dumps(reply, ensure_ascii=False)


def slow(seconds: float, then: Any) -> Wait:
    return Wait(then, seconds=seconds)


def held(gate: Gate, then: Any) -> Wait:
    """Answers when the test says so: for what must be in flight while something else happens."""
    return Wait(then, gate=gate)


def never() -> Wait:
    """No answer before any deadline; ends when the client hangs up or the fake is closed."""
    return Wait()


def pieces(*parts: str | Gate, cut: int | None = None) -> Pieces:
    return Pieces(parts, cut=cut)


def broken(*parts: str | Gate) -> Pieces:
    """The connection is lost after these."""
    return Pieces(parts, breaks=True)


def unended(*parts: str | Gate) -> Pieces:
    """All is well, but for the end of the reply."""
    return Pieces(parts, ends=False)


def cut(then: Any, share: float = 0.5) -> Cut:
    return Cut(then, share)


def status(code: int, body: Any = None, *, message: str = "", **headers: str) -> Status:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Status(code, body, named, message)


def rate_limit(retry_after: float = 1.0) -> RateLimit:
    return RateLimit(retry_after)


def not_json() -> Raw:
    """What a proxy in between answers, with status 200."""
    return Raw("<html><head><title>Sign in to the network</title></head><body></body></html>")


def empty(*, candidate: bool = False) -> Empty:
    return Empty(candidate)


def blocked(reason: str = "PROHIBITED_CONTENT") -> Blocked:
    return Blocked(reason)


def finished(reason: str, text: str | None = None) -> Say:
    """Stopped for a reason: SAFETY, MAX_TOKENS, MALFORMED_FUNCTION_CALL, length, content_filter."""
    return Say(text, finish=reason)


def refusal(text: str = "I'm sorry, but I can't help with that.") -> Say:
    """OpenAI's field of that name; where a vendor has none, the words alone."""
    return Say(None, refusal=text)


def thinking(tokens: int, then: Any) -> Say:
    """A reply that was thought about."""
    return Say(text_of(then), thinking=tokens)


def markdown(reply: Any) -> str:
    """The reply in a fence, with words around it."""
    return f"Sure! Here is the JSON:\n\n```json\n{text_of(reply)}\n```\n\nLet me know."


def half(reply: Any) -> str:
    """JSON that stops half-way, though the model says it was done."""
    text = text_of(reply)
    return text[: len(text) // 2]


def huge(tokens: int = 100_000) -> Say:
    """A reply without end, by a server that keeps no limit: valid JSON up to its last word."""
    return Say('{"thought": "' + "on and " * (tokens // 2), limited=False)


GARBAGE = "\x00\ufffd}]{{ lorem \u202e ipsum: null, ''' <|im_start|>"
