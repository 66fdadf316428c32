"""What a page says of a claim, in its words alone."""

import pytest

from app.domain.page import MASK, Observation
from app.verification.server_actions import affirms_claim, claim_holds
from tests.unit.verification.looks import n, page, toast

SUMMARY = "# Patients\nName | Born\nJas Patel | 1990-03-01\nAnn Lee | 1985-07-12"
LIST = page(n("1", "btn", "Save"), n("2", "link", "Delete account"), summary=SUMMARY)
TYPED = page(n("10", "inp", "First name", value="Jas"), n("11", "btn", "Save"))
REFUSED = page(toast("Name already exists", kind="alert"), summary=SUMMARY)
SAVED = page(toast("Changes saved"), summary="# Settings")


@pytest.mark.parametrize(
    ("what", "look", "expected"),
    [
        ("Jas Patel", LIST, True),
        ("the patient list shows 'Jas Patel'", LIST, True),
        ('"Jas Patel" and "Ann Lee" are in the table', LIST, True),
        ("Jas Patel is listed with 1990-03-01", LIST, True),
        ("Jas Lee is in the list", LIST, None),
        ("'Jas Patel' and 'Bob' are shown", LIST, None),
        ("Jas Patel is no longer in the list", LIST, None),
        ("there is no Jas Patel", LIST, None),
        ("Save", LIST, None),
        ("account", LIST, None),
        ("", LIST, None),
        ("!?", LIST, None),
        ("'Jas' is in the list", TYPED, None),
        ("Jas", TYPED, None),
        ("the first name field holds 'Jas'", TYPED, True),
        ("first name is Bob", TYPED, None),
        ("Jas Patel is in the list", REFUSED, None),
        ("a patient Bob was added", REFUSED, False),
        ("the changes were saved", SAVED, True),
        ("a success message is shown", SAVED, True),
        ("a success message is shown", LIST, None),
        ("password is hunter2", page(n("1", "inp", "Password", value=MASK)), None),
        ("ההגדרות נשמרו", page(toast("ההגדרות נשמרו בהצלחה")), True),
    ],
)
def test_a_claim_is_decided_only_where_the_words_tell(
    what: str, look: Observation, expected: bool | None
) -> None:
    assert claim_holds(what, look) is expected


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        ("Yes, it is there", True),
        ("Jas Patel, 1990", True),
        ("No", False),
        ("", False),
        ("Not shown on this page", False),
        ("Nothing like it", False),
        ("The page does not say.", False),
        ("The order was removed.", True),
    ],
)
def test_what_was_read_may_affirm_it(read: str, expected: bool) -> None:
    assert affirms_claim(read) is expected
