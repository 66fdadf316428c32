"""Words that no rule obeys are kept beside the reading, so that it is not carried out without them."""

import pytest

from app.engines.complexity import SURE
from app.reasoners.rules.parse import parse


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ("Increase the quantity by 2", "by 2"),
        ("Set the quantity to twice the current value", "twice the current value"),
        ("Set the price to 10% less", "10% less"),
        ("Add the Lamp to the cart unless it costs more than $20", "unless it costs more than $20"),
        ("Click Next until the last page", "until the last page"),
        ("Archive all emails not from Ann", "not from Ann"),
        ("Tick every second box", "every second box"),
        ("Tick all but two boxes", "except two"),
        ("Tick everything but the last one", "except last one"),
        ("Follow everyone except Ann", "except Ann"),
        ("Delete the emails older than 3 days", "older than 3 days"),
        ("Add the products under $40 to the cart", "under $40"),
        ("Approve all requests from this week", "from this week"),
        ("Tick every box that starts with E", "that starts with E"),
        ("Archive half of the emails", "half of the emails"),
    ],
)
def test_what_is_not_obeyed_is_said_and_makes_the_reading_unsure(goal: str, words: str) -> None:
    read = parse(goal)
    assert read.directives[0].unheeded == words
    assert read.confidence < SURE  # with a model there, it is the model's


@pytest.mark.parametrize(
    "goal",
    [
        "Click Not now",
        "Select Under $25",
        "Click 'Buy until Friday'",
        "Type twice the size into the note",
        "Set the note to '10% less'",
        "Tick all boxes except Jobs",
        "Select all emails except the one from Cleo",
        "Set the status to Half day",
        "Raise a ticket with subject Printer",
        "Click the link other than Home",
        "Select the first three rows",
        "Wait until Save shows",
    ],
)
def test_labels_values_and_what_is_obeyed_stay(goal: str) -> None:
    assert all(directive.unheeded is None for directive in parse(goal).directives)


@pytest.mark.parametrize(
    ("goal", "count", "words", "exact"),
    [
        ("Click like on 7 posts", 7, "7 posts", False),
        ("Check three of the boxes", 3, "three of the boxes", False),
        ("Tick all 5 boxes", 5, "5 boxes", True),
        ("Archive two emails", 2, "two emails", False),
        ("Click Like on the last 2 posts", -2, "2 posts", False),
        ("Choose 2 adults", 2, "2 adults", False),
    ],
)
def test_a_number_of_things_is_kept(goal: str, count: int, words: str, exact: bool) -> None:
    several = parse(goal).directives[0].several
    assert several is not None
    assert several.target.all
    assert (several.count, several.words, several.exact) == (count, words, exact)


@pytest.mark.parametrize(
    "goal",
    ["Click row 3", "Click Like 3 times", "Click 'on 7 posts'", "Click button 2", "Open page 4",
     "Archive the email from 3 days ago", "Click Tab #2", "Set the quantity to 5"],
)  # fmt: skip
def test_other_numbers_count_nothing(goal: str) -> None:
    assert all(directive.several is None for directive in parse(goal).directives)
