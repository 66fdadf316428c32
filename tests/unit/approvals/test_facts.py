"""Free answers, read for what was asked."""

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.approvals.requested_fields import RequestedField, is_redirection, match_answer

NAME, PHONE = RequestedField("Name"), RequestedField("Phone number", "tel")
OPTIONAL = RequestedField("Phone", "tel", required=False)
BORN, MAIL = RequestedField("Date of birth", "date"), RequestedField("Email", "email")
SECRET = RequestedField("Password", "secret")
FIRST, LAST = RequestedField("First name"), RequestedField("Last name")
GENDER = RequestedField("Gender", "choice", ("Male", "Female"))


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        (NAME, "Jas", "Jas"),
        (NAME, "Name: Jas", "Jas"),
        (NAME, "the name is Jas", "Jas"),
        (NAME, "It's Jas", "Jas"),
        (NAME, "'Jas'", "Jas"),
        (NAME, "Jas Patel, MD", "Jas Patel, MD"),
        (NAME, "Mark Smith", "Mark Smith"),
        (NAME, "Open Source Ltd", "Open Source Ltd"),
        (NAME, "none", "none"),
        (SECRET, "no, this: is, mine", "no, this: is, mine"),
        (SECRET, "the password is hunter2", "hunter2"),
        (BORN, "12.03.1990", "12.03.1990"),
        (BORN, "12 March 1990", "12 March 1990"),
        (GENDER, "female", "female"),
    ],
)
def test_one_field_takes_all_that_is_said(field, text, value):
    found = match_answer([field], text)
    assert (found.says, found.given) == ("values", {field.name: value})


@pytest.mark.parametrize(
    ("fields", "text", "values"),
    [
        ([NAME, PHONE], "Name: Jas, phone number: 050-123", ["Jas", "050-123"]),
        ([NAME, PHONE], "Jas and 050-123", ["Jas", "050-123"]),
        ([NAME, PHONE], "050-123, Jas Patel", ["Jas Patel", "050-123"]),
        ([NAME, PHONE], "Jas\n050-1234567", ["Jas", "050-1234567"]),
        ([NAME, PHONE], "The phone is 050-123, Jas", ["Jas", "050-123"]),
        ([NAME, PHONE], "name=Jas;phone=050 123 4567", ["Jas", "050 123 4567"]),
        ([NAME, PHONE], "it's Jas, 050-1234567", ["Jas", "050-1234567"]),
        ([NAME, BORN], "12 March 1990, Jas", ["Jas", "12 March 1990"]),
        ([NAME, MAIL, PHONE], "jas@x.example, Jas, 050-1234567", ["Jas", "jas@x.example", "050-1234567"]),
        ([FIRST, LAST], "Jas, Patel", ["Jas", "Patel"]),
        ([FIRST, LAST], "Last name: Patel; first name: Jas", ["Jas", "Patel"]),
        ([NAME, GENDER], "Jas, female", ["Jas", "female"]),
        # A half answer gives what it gives, and of more parts than fields none is given.
        ([NAME, PHONE], "Jas", ["Jas", None]),
        ([NAME, PHONE], "it's Jas", ["Jas", None]),
        ([NAME, PHONE], "050-123", [None, "050-123"]),
        ([NAME, PHONE], "Jas, phone: I don't know", ["Jas", None]),
        ([NAME, PHONE], "phone: 050-123, Jas, Patel", [None, "050-123"]),
    ],
)  # fmt: skip
def test_several_fields_by_name_by_kind_and_by_order(fields, text, values):
    given_ = {one.name: value for one, value in zip(fields, values, strict=True) if value}
    found = match_answer(fields, text)
    assert (found.says, found.given, found.left) == ("values", given_, ())


@pytest.mark.parametrize(
    ("fields", "text", "left"),
    [
        ([NAME], "skip", ["Name"]),
        ([OPTIONAL], "none", ["Phone"]),
        ([OPTIONAL], "leave it empty", ["Phone"]),
        ([OPTIONAL], "leer lassen", ["Phone"]),
        ([NAME, OPTIONAL], "Jas, phone: none", ["Phone"]),
    ],
)
def test_what_is_to_stay_empty(fields, text, left):
    assert list(match_answer(fields, text).left) == left


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("I don't know", "nothing"), ("dunno", "nothing"), ("?", "nothing"),
        ("cancel", "cancelled"), ("never mind", "cancelled"), ("abbrechen", "cancelled"),
        ("no, delete it instead", "turned"), ("open Home instead", "turned"),
        ("don't do that", "turned"), ("Which name?", "nothing"), ("", "nothing"),
        ("\u200f \u202e", "nothing"),
    ],
)  # fmt: skip
def test_what_is_no_value(text, says):
    found = match_answer([NAME], text)
    assert (found.says, found.given) == (says, {})


def test_a_value_of_another_kind_is_not_taken():
    assert match_answer([BORN], "Jas").says == "nothing"
    assert match_answer([GENDER], "maybe").given == {}


@pytest.mark.parametrize(
    ("text", "turns"), [("stop, open Home", True), ("no", False), ("hm", False)]
)
def test_what_turns_to_something_else(text, turns):
    assert is_redirection(text) is turns


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from([NAME, PHONE, BORN, SECRET, GENDER]), min_size=1, max_size=3, unique=True
    ),
    st.text(max_size=200),
)
def test_whatever_is_said_values_are_the_persons_own_words(fields, text):
    found = match_answer(fields, text)
    assert set(found.given) | set(found.left) <= {one.name for one in fields}
    said = unicodedata.normalize("NFC", text)
    for value in found.given.values():
        assert all(word in said or not word.isprintable() for word in value.split())


def test_a_long_answer_is_read_in_no_time():
    began = time.process_time()
    for text in ("a " * 20_000, ", " * 20_000, "name " * 8_000, "1-" * 20_000, "x@" * 20_000):
        match_answer([NAME, PHONE, MAIL, BORN], text)
    assert time.process_time() - began < 2
