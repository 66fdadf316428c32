"""Which record a command to delete is about."""

import pytest

from app.reasoners.commands import parse
from app.verification.records import record_name


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        ("Delete the bill 'Cinema tickets'", "Cinema tickets"),
        ("Delete the transaction 'Dinner with Paul' from the ledger", "Dinner with Paul"),
        ("Remove Tom from the group", "Tom"),
        ("Delete the contact Dora Finch", "Dora Finch"),
        ("Delete lamp", "lamp"),
    ],
)
def test_the_record_is_what_is_named_and_not_where_it_is_listed(goal, name):
    (directive,) = parse(goal).directives
    assert record_name(directive.target) == name
