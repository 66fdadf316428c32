"""Questions that are answered by counting, or by looking whether something is there."""

import pytest

from app.reasoners.rules.parse import parse
from tests.unit.rules.pages import Page, node, run

ROWS = [
    node(str(n), "link", f"Patient {n}", group=f"section: Patients > row: {n}") for n in (1, 2, 3)
]
NEXT = node("9", "btn", "Next")


def answer(page: Page, asked: str) -> str | None:
    last = run(page, *parse(asked).directives).last
    return last.reason if last.outcome == "answer" else None


@pytest.mark.parametrize(
    ("summary", "nodes", "want"),
    [
        ("Showing 1-10 of 120 patients", ROWS, "120 patients"),
        ("Patients: 12", [], "12 patients"),
        ("", ROWS, "3 patients"),
        ("", [*ROWS, NEXT], "3 patients on this page; there are further pages"),
    ],
)
def test_how_many_there_are(summary, nodes, want):
    assert answer(Page(nodes, summary=summary), "How many patients are there?") == want


def test_who_is_there_is_told():
    page = Page([node("1", "link", "Jas Patel")])
    assert (answer(page, "Is Jas Patel on the list?") or "").startswith("Yes")
    assert (answer(page, "Is Tom on the list?") or "").startswith("No")


def test_nothing_is_denied_of_a_list_that_goes_on():
    assert not (answer(Page([NEXT]), "Is Tom on the list?") or "").startswith("No")
