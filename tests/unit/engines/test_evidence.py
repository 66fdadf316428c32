"""What an end must show before it stands."""

import pytest

from app.domain.action import action
from app.domain.background import Background, Passage, WebResult, WebSearch
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Deed, Refinement
from app.domain.verdict import Verdict
from app.engines.evidence import is_quoted, unfounded
from app.engines.reasoner import Situation

PAGE = Observation(
    url="https://desk.example/orders",
    title="Orders",
    summary="Order 12\nTotal: 1,240.00 EUR",
    tree=Tree.of([Node(id="1", role="chk", name="Shipped", states=frozenset({"checked"}))]),
    successes=("The order was updated",),
)
ACTED = (Deed(action=action("click", "1"), status="success"),)
FAILED = Verdict(succeeded=False, confidence=0.9, reason="Nothing changed")


@pytest.mark.parametrize(
    ("quote", "stands"),
    [
        ("The order was updated", True),
        ("the order was UPDATED.", True),
        ("Total: 1,240.00 EUR", True),
        ("Shipped checked", True),
        ("Open until six", True),
        ("Rome has 2.7 million", True),
        ("The order was deleted", False),
        ("order was updat", False),
        ("", False),
        ("1", False),
    ],
)
def test_a_quote_stands_where_it_is_written(quote, stands):
    result = WebResult(title="Rome", url="https://r.example", text="Rome has 2.7 million people")
    known = Background(
        knowledge=(Passage(text="The desk is open until six.", title="Handbook"),),
        searches=(WebSearch(need="people of Rome", results=(result,)),),
    )
    assert is_quoted(quote, Situation(goal="", page=PAGE, background=known)) is stands


def why(quote="", *, page=PAGE, **more):
    end = Refinement(outcome="finish", maker="model", quote=quote, reason="Done.")
    return unfounded(end, Situation(goal="Ship order 12", page=page, **more))


def test_a_quote_that_is_not_there_is_told_with_the_way_out():
    assert "stands neither on the page" in (why("Order 12 has left", deeds=ACTED) or "")


def test_nothing_done_and_nothing_quoted_is_no_end():
    assert "Nothing was done yet" in (why() or "")
    assert why("Shipped") is None
    assert why(deeds=ACTED) is None


def test_what_the_page_speaks_against_is_not_reached():
    refused = Observation(url="", summary="Order 12", errors=("The address is missing",))
    assert "The address is missing" in (why("Order 12", page=refused, deeds=ACTED) or "")
    assert "Nothing changed" in (why("Shipped", deeds=ACTED, verdict=FAILED) or "")
