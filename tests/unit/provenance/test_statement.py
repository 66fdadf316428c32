"""What a text for the person says, and what stands behind it."""

from datetime import date

import pytest

from app.domain.background import Background
from app.domain.page import Node, Observation, Tree
from app.engines.provenance import statement, trace
from app.engines.reasoner import Situation

GOAL = "Tell me when Jas Patel can come and what it costs"
PAGE = Observation(
    url="https://app.example.org/visits",
    tree=Tree((Node(id="1", role="btn", name="Book 14:30", group="row: Dr. Lee 1,240.00"),)),
    summary="12 visits, the last on 3 May 2026",
)


def said(text, goal=GOAL, **more):
    return statement(text, Situation(goal=goal, page=PAGE, **more))


@pytest.mark.parametrize(
    ("text", "unknown", "found"),
    [
        ("Done.", (), ()),
        ("It works for Jas Patel.", (), ()),
        ("It is 1240 with Lee.", (), ("1240", "Lee")),
        ("It was on 2026-05-03 at 2:30 pm there.", (), ("2026-05-03", "2:30 pm")),
        ("It costs 1,420.00.", ("1,420.00",), ()),
        ("It is with Kim.", ("Kim",), ()),
        ("There are 12 visits.", ("12",), ()),
    ],
)
def test_its_facts(text, unknown, found):
    told = said(text)
    assert (told.unknown, told.found) == (unknown, found)


def test_what_was_handed_on_is_found():
    assert said("Call 020 7946 0991.", background=Background(handed={"phone": "02079460991"})).found


def test_the_day_is_the_situations():
    monday = Situation(goal="Book it for tomorrow", page=PAGE, today=date(2026, 5, 4))
    assert trace("2026-05-05", monday) is not None
    assert trace("2026-05-06", monday) is None
    assert statement("It is on 5 May 2026.", monday).unknown == ()


def test_a_page_of_the_same_words_is_another_page():
    """Texts are kept for a tree, and go with it."""
    for name in ("Ann", "Ben", "Ann"):
        page = Observation(url="", tree=Tree((Node(id="1", role="btn", name=f"Open {name} Ray"),)))
        situation = Situation(goal="Copy the name shown", page=page)
        found = [one for one in ("Ann Ray", "Ben Ray") if trace(one, situation)]
        assert found == [f"{name} Ray"]
