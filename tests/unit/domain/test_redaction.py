"""A secret is found by the name of its field, and masked wherever it stands."""

import pytest

from app.domain.page import MASK
from app.domain.redaction import masked, secrets
from app.reasoners.commands import parse


@pytest.mark.parametrize(
    ("goal", "hidden"),
    [
        ("Log in with username 'ann' and password 'hunter22'", {"hunter22"}),
        ('Enter the password "x y z" into both text fields', {"x y z"}),
        ("Set the PIN to 4711", {"4711"}),
        ("Type 'passport' into the search box", set()),
        ("Add a patient with name Jas", set()),
    ],
)
def test_secrets(goal, hidden):
    assert secrets(parse(goal)) == hidden


def test_masked():
    assert masked("typed ab and abc", {"ab", "abc"}) == f"typed {MASK} and {MASK}"
