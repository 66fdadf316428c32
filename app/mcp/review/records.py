"""Arguments that tools of both review servers take."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from app.domain.review import Strict
from app.review.service import MOST

DEFAULT = 10


def _given(submission_id: object) -> object:
    """None is not given, as "" is."""
    return "" if submission_id is None else submission_id


Id = Annotated[
    str,
    BeforeValidator(_given),
    Field(description="The id of the record: 'HITL-' and a version 4 UUID"),
]
Limit = Annotated[
    int, Field(ge=1, le=MOST, description=f"How many at most, newest first; from 1 to {MOST}")
]


class OfOne(Strict):
    """Which record."""

    submission_id: Id


class Listing(Strict):
    """How many."""

    limit: Limit = DEFAULT
