"""Fields by name, whole forms, and the button that hands them in."""

import pytest

from app.domain.directive import FieldValue
from app.grounding import assign_fields, find_field, find_submitter
from tests.unit.grounding.compact import tree
from tests.unit.grounding.pages import (
    DIALOG,
    FORM,
    LOGIN,
    RESULTS,
    SETTINGS,
    SHOP,
    WIZARD,
)  # fmt: skip

PATIENT = tree("""
@ nav: Main
m btn Patient ▾ {s=haspopup}
q inp  {t=search; h=Search patients}
@ form: New patient
a inp Patient name * {s=required}
b inp Date of birth (optional) {t=date}
c sel Sex {o=/Female/Male/Unknown}
d inp Phone {t=tel}
e inp Insurance number
f chk Consent to data processing
g btn Cancel
h btn Save
""")
ANT = tree("""
@ form: > fieldset: Delivery
a inp  {h=Please enter your name}
b inp  {h=Your e-mail; t=email}
c sel  {h=Please select a province; o=/North/South}
d inp  {h=Message; t=textarea}
@ form:
e btn Submit
f btn Reset
""")
TWO_FORMS = tree("""
@ form: Log in
a inp Username
b inp Password {t=password}
c btn Log in
@ form: Create your account
d inp Full name
e inp Email {t=email}
f inp Password {t=password}
g inp Confirm password {t=password}
h btn Sign up
""")
QUIZ = tree("""
a inp
b btn Go
""")


@pytest.mark.parametrize(
    ("page", "name", "value", "expected"),
    [
        (PATIENT, "name", "Jas", "a"), (PATIENT, "full name", "Jas", "a"), (PATIENT, "dob", None, "b"),
        (PATIENT, "date of birth", "1990-01-02", "b"), (PATIENT, "gender", "Male", "c"),
        (PATIENT, "mobile", "0172", "d"), (PATIENT, "insurance no", "4", "e"),
        (PATIENT, "consent", "yes", "f"),
        (PATIENT, "email", None, None), (PATIENT, "patient's name", "Jas", "a"),
        (FORM, "name", "Jas", "?"), (FORM, "last name", None, "b"), (FORM, "sex", "Male", "s2"),
        (FORM, "interests", "Sports", "k2"), (FORM, "email", "a@b.c", "e"), (FORM, "zip", None, "h"),
        (FORM, "country", "France", "j"), (FORM, "street", None, "g"),
        (LOGIN, "username", "jo", "u"), (LOGIN, "user", "jo", "u"), (LOGIN, "password", "x", "p"),
        (LOGIN, "e-mail", "a@b.c", "u"), (ANT, "name", "Jo", "a"), (ANT, "email", "a@b.c", "b"),
        (ANT, "province", "North", "c"),
        (DIALOG, "name", None, "n"), (DIALOG, "telephone", None, "p"),
        (SETTINGS, "name", "Jo", "a"), (SETTINGS, "lang", "Deutsch", "c"),
        (TWO_FORMS, "username", None, "a"), (TWO_FORMS, "email", None, "e"),
        (TWO_FORMS, "password", None, "?"),
    ],
)  # fmt: skip
def test_field_by_name(page, name, value, expected):
    found = find_field(name, page, value=value)
    wanted = {"?": ("ambiguous", ()), None: ("absent", ())}.get(expected, ("found", (expected,)))
    assert (found.outcome, found.chosen) == wanted, found


def test_a_value_without_a_field_goes_to_the_only_text_field():
    found = find_field("", QUIZ, value="hello")
    assert found.chosen == ("a",)
    assert found.confidence > 0.85


def test_a_value_without_a_field_goes_to_the_next_empty_one():
    found = find_field("", FORM, value="Jas")
    assert found.chosen == ("a",)
    assert found.confidence < 0.85


@pytest.mark.parametrize(
    ("page", "pairs", "expected"),
    [
        (
            PATIENT,
            {"name": "Jas", "dob": "1990-01-02", "sex": "Female", "phone": "0172"},
            "a b c d",
        ),
        (
            FORM,
            {"first name": "Jas", "last name": "Patel", "mail": "j@p.org", "sex": "Male"},
            "a b e s2",
        ),
        (
            TWO_FORMS,
            {"name": "Jo", "email": "j@p.org", "password": "x", "confirm password": "x"},
            "d e f g",
        ),
        (TWO_FORMS, {"username": "jo", "password": "x"}, "a b"),
        (LOGIN, {"username": "jo", "password": "x"}, "u p"),
        (ANT, {"email": "a@b.c", "name": "Jo", "": "Hello there"}, "b a d"),
    ],
)
def test_all_fields_of_one_form(page, pairs, expected):
    wanted = [FieldValue(field=name, value=value) for name, value in pairs.items()]
    found = assign_fields(wanted, page)
    assert " ".join("".join(one.chosen) for one in found) == expected, found


def test_no_field_is_given_twice():
    pairs = [FieldValue(field="phone", value="1"), FieldValue(field="mobile", value="2")]
    first, second = assign_fields(pairs, PATIENT)
    assert first.chosen == ("d",)
    assert second.outcome == "absent"


@pytest.mark.parametrize(
    ("page", "after", "expected"),
    [
        (PATIENT, ("a",), "h"), (ANT, ("a",), "e"), (FORM, ("a", "b"), "r"), (LOGIN, ("u", "p"), "s"),
        (TWO_FORMS, ("a", "b"), "c"), (TWO_FORMS, ("d", "e"), "h"), (QUIZ, ("a",), "b"),
        (DIALOG, ("n",), "s"), (SETTINGS, ("a",), "g"), (WIZARD, ("a",), "z"), (SHOP, ("h2",), "h3"),
        (RESULTS, ("q",), "s"), (LOGIN, (), "s"),
    ],
)  # fmt: skip
def test_submit_of_the_form_that_was_filled(page, after, expected):
    assert find_submitter(page, after=after).chosen == (expected,)


def test_cancel_is_never_submit():
    page = tree("""
    @ dialog: Rename
    a inp Name
    b btn Cancel
    c btn Close
    """)
    assert find_submitter(page, after=["a"]).outcome == "absent"
