"""A value is traced on the page and the day that the situation is of."""

from datetime import date

from app.domain.page import Node, Observation, Tree
from app.domain.reasoner import Situation
from app.provenance import trace_value

PAGE = Observation(
    url="https://app.example.org/visits",
    tree=Tree((Node(id="1", role="btn", name="Book 14:30", group="row: Dr. Lee 1,240.00"),)),
    summary="12 visits, the last on 3 May 2026",
)


def test_the_day_is_the_situations():
    monday = Situation(goal="Book it for tomorrow", page=PAGE, today=date(2026, 5, 4))
    assert trace_value("2026-05-05", monday) is not None
    assert trace_value("2026-05-06", monday) is None


def test_a_page_of_the_same_words_is_another_page():
    """Texts are kept for a tree, and go with it."""
    for name in ("Ann", "Ben", "Ann"):
        page = Observation(url="", tree=Tree((Node(id="1", role="btn", name=f"Open {name} Ray"),)))
        situation = Situation(goal="Copy the name shown", page=page)
        found = [one for one in ("Ann Ray", "Ben Ray") if trace_value(one, situation)]
        assert found == [f"{name} Ray"]
