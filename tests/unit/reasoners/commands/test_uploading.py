"""Which field a file goes to."""

import pytest

from app.domain.directive import Directive, Target
from tests.unit.reasoners.commands.pages import Page, node, run


def upload(phrase: str = "") -> Directive:
    return Directive(verb="fill", target=Target(phrase=phrase, role="file"), value="a.pdf")


@pytest.mark.parametrize(
    ("nodes", "phrase", "calls"),
    [
        ([node("1", "inp", "Name"), node("2", "file", "Paper")], "", ['uploadFile("2", "a.pdf")']),
        ([node("1", "file", "Photo"), node("2", "file", "CV")], "CV", ['uploadFile("2", "a.pdf")']),
        ([node("2", "el", "Drop files here")], "Drop files", ['uploadFile("2", "a.pdf")']),
        ([node("1", "btn", "Save")], "", []),
    ],
)  # fmt: skip
def test_the_file_goes_where_it_belongs(nodes, phrase, calls):
    assert run(Page(nodes), upload(phrase)).calls[:1] == calls


def test_two_fields_and_no_word_of_which_are_asked_about():
    page = Page([node("1", "file", "Photo"), node("2", "file", "CV")])
    assert run(page, upload()).last.outcome != "act"
