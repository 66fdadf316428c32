"""Whose word a document is decides what may be typed on its account."""

import pytest

from app.agent.context import passages_of
from app.domain.knowledge import Retrieval, Scope
from app.domain.page import Node, Observation, Tree
from app.domain.reasoner import Background, Situation
from app.provenance import trace_value
from tests.unit.provenance.made import found_in

FIELD = Node(id="1", role="inp", name="Cost centre", input_type="text")


@pytest.mark.parametrize(
    ("scope", "phase", "origin"),
    [
        ("organization", None, "knowledge"),
        ("public", None, "search"),
        ("organization", "post-interaction", "search"),
    ],
)
def test_only_what_the_team_handed_in_counts_as_its_word(
    scope: Scope, phase: str | None, origin: str
) -> None:
    read = Retrieval(
        allowed=True, domain="", found=(found_in("Cost centre: 4711-A", scope, phase),)
    )
    known = Background(knowledge=passages_of(read))
    page = Observation(url="https://app.example.org/", tree=Tree((FIELD,)))
    source = trace_value(
        "4711-A", Situation(goal="File it", page=page, background=known), node=FIELD
    )
    assert source is not None
    assert source.origin == origin
