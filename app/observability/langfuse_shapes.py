"""What LangFuse is told, in our words: observations of a trace, and scores."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import Any, Literal

Kind = Literal["span", "generation", "embedding", "tool", "retriever"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What all observations of one chain of requests share. `trace_id`: 32 hex digits."""

    trace_id: str
    name: str
    user: str = ""
    session: str = ""
    tenant: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One stretch of time in a trace; sent again with the same id, it takes its own place.

    `usage` are tokens by kind, `cost` USD by kind; both are of calls alone.
    """

    trace: Trace
    span_id: str
    parent_id: str | None
    name: str
    kind: Kind = "span"
    started_at: datetime
    ended_at: datetime
    input: Any = None
    output: Any = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    model: str | None = None
    usage: Mapping[str, int] | None = None
    cost: Mapping[str, float] | None = None
    prompt_name: str = ""
    prompt_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A number that says how good something was, an observation or the whole trace; the same id is the same
    score.
    """

    score_id: str
    trace_id: str
    observation_id: str | None
    name: str
    value: float
    at: datetime
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is to be sent."""

    observations: tuple[Observation, ...] = ()
    scores: tuple[Score, ...] = ()

    def __add__(self, other: "Drawn") -> "Drawn":
        return Drawn(self.observations + other.observations, self.scores + other.scores)

    def __len__(self) -> int:
        return len(self.observations) + len(self.scores)


LONGEST_NAME = 200  # of users, sessions and tags, as LangFuse takes them


def short(text: str) -> str:
    """As long as LangFuse takes names."""
    return text[:LONGEST_NAME]


def span_id(*parts: object) -> str:
    """16 hex digits that every process makes alike of the same parts."""
    return _digest(parts, 8)


def long_id(*parts: object) -> str:
    """32 hex digits, likewise."""
    return _digest(parts, 16)


def _digest(parts: tuple[object, ...], size: int) -> str:
    return blake2b("\0".join(map(str, parts)).encode(), digest_size=size).hexdigest()
