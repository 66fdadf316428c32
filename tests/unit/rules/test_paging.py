"""Turning the pages of a list in words."""

import pytest

from app.reasoners.commands import parse
from tests.unit.rules.pages import Page, node, run

PAGER = [
    node("1", "btn", "Previous"), node("2", "link", "1", "current"), node("3", "link", "2"),
    node("4", "link", "7"), node("5", "btn", "Next"), node("6", "btn", "Next"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("goal", "call"),
    [
        ("Go to the next page of patients", 'click("5")'),
        ("go to the previous page", 'click("1")'),
        ("Go to page 2", 'click("3")'),
        ("open the second page", 'click("3")'),
        ("open the last page", 'click("4")'),
    ],
)
def test_a_page_is_turned_to(goal, call):
    assert run(Page(PAGER), *parse(goal).directives).calls == [call]


def test_before_the_first_page_is_the_history():
    page = Page([node("1", "btn", "Save")])
    assert run(page, *parse("go to the previous page").directives).calls == ["goBack()"]


def test_there_is_nothing_after_the_last_page():
    page = Page([node("1", "btn", "Next", "disabled"), node("2", "btn", "Previous")])
    assert run(page, *parse("go to the next page").directives).last.outcome == "missing"
