"""How a goal is approached."""

from typing import Literal

from app.domain.base import Value

Source = Literal["MEMORY", "PAGE", "WEB_SEARCH", "ASK_USER"]


class Complexity(Value):
    """SIMPLE: one clear action on one identifiable element. `reason` in plain words."""

    level: Literal["SIMPLE", "COMPLEX"]
    reason: str = ""


class Analysis(Value):
    """What a goal needs before it can be planned.

    `answer` is set when nothing is to be done on the page (conversation); `missing` says, in words
    for the person, what could not be understood.
    """

    required_sources: tuple[Source, ...] = ("PAGE",)
    answer: str | None = None
    missing: str | None = None
