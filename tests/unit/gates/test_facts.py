"""Free answers, read for what was asked: in many forms, in six languages."""

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engines.gates.facts import read
from app.engines.gates.kinds import Wanted

NAME, PHONE = Wanted("Name"), Wanted("Phone", "phone")
OPTIONAL = Wanted("Phone", "phone", required=False)
BORN, MAIL = Wanted("Date of birth", "date"), Wanted("Email", "email")
TITLE, SECRET = Wanted("Title", "sentence"), Wanted("Password", "secret")
FIRST, LAST = Wanted("First name"), Wanted("Last name")
GENDER = Wanted("Gender", "choice", ("Male", "Female"))
HE_NAME, HE_PHONE = Wanted("שם"), Wanted("טלפון", "phone")


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
        (NAME, "der Name ist Jas", "Jas"),
        (NAME, "le nom est Jas", "Jas"),
        (NAME, "il s'appelle Jas", "Jas"),
        (NAME, "se llama Jas", "Jas"),
        (NAME, "o nome é Jas", "Jas"),
        (HE_NAME, "השם הוא יעל", "יעל"),
        (TITLE, "Delete old files", "Delete old files"),
        (TITLE, "Call the dentist instead", "Call the dentist instead"),
        (SECRET, "no, this: is, mine", "no, this: is, mine"),
        (SECRET, "the password is hunter2", "hunter2"),
        (BORN, "on 12.03.1990", "12.03.1990"),
        (PHONE, "it is 050-1234567, I think", "050-1234567"),
        (GENDER, "female", "female"),
    ],
)
def test_one_field_takes_all_that_is_said(field, text, value):
    found = read([field], text)
    assert (found.says, found.given) == ("values", {field.name: value})


@pytest.mark.parametrize(
    ("fields", "text", "values"),
    [
        ([NAME, PHONE], "Name: Jas, phone 050-123", ["Jas", "050-123"]),
        ([NAME, PHONE], "Jas and 050-123", ["Jas", "050-123"]),
        ([NAME, PHONE], "050-123 Jas Patel", ["Jas Patel", "050-123"]),
        ([NAME, PHONE], "Jas\n050-1234567", ["Jas", "050-1234567"]),
        ([NAME, PHONE], "The phone is 050-123, Jas", ["Jas", "050-123"]),
        ([NAME, PHONE], "name=Jas;phone=050 123 4567", ["Jas", "050 123 4567"]),
        ([NAME, PHONE], "it's Jas, 050-1234567", ["Jas", "050-1234567"]),
        ([NAME, PHONE], "Name ist Jas und Telefon 050-123", ["Jas", "050-123"]),
        ([NAME, PHONE], "le nom est Jas et le téléphone est 050-123", ["Jas", "050-123"]),
        ([NAME, PHONE], "nombre: Jas, teléfono: 050-123", ["Jas", "050-123"]),
        ([NAME, PHONE], "nome Jas e telefone 050-123", ["Jas", "050-123"]),
        ([HE_NAME, HE_PHONE], "השם הוא יעל וטלפון 050-123", ["יעל", "050-123"]),
        ([NAME, BORN], "Jas Patel born 1990-03-12", ["Jas Patel", "1990-03-12"]),
        ([NAME, BORN], "12 March 1990, Jas", ["Jas", "12 March 1990"]),
        ([NAME, MAIL, PHONE], "jas@x.example Jas, 050-1234567", ["Jas", "jas@x.example", "050-1234567"]),
        ([FIRST, LAST], "Jas Patel", ["Jas", "Patel"]),
        ([FIRST, LAST], "First name Jas last name Patel", ["Jas", "Patel"]),
        ([NAME, GENDER], "Jas, female", ["Jas", "female"]),
        ([Wanted("Address"), PHONE], "1 Main St, Rye, 050-123 4567", ["1 Main St, Rye", "050-123 4567"]),
        # A half answer gives what it gives.
        ([NAME, PHONE], "Jas", ["Jas", None]),
        ([NAME, PHONE], "it's Jas", ["Jas", None]),
        ([NAME, PHONE], "050-123", [None, "050-123"]),
        ([NAME, PHONE], "Jas, phone: I don't know", ["Jas", None]),
        ([NAME, PHONE], "Jas and I don't know the phone", ["Jas", None]),
    ],
)  # fmt: skip
def test_several_fields_by_name_by_kind_and_by_order(fields, text, values):
    given_ = {one.name: value for one, value in zip(fields, values, strict=True) if value}
    found = read(fields, text)
    assert (found.says, found.given, found.left) == ("values", given_, ())


@pytest.mark.parametrize(
    ("fields", "text", "left"),
    [
        ([NAME], "skip", ["Name"]),
        ([OPTIONAL], "none", ["Phone"]),
        ([OPTIONAL], "leave it empty", ["Phone"]),
        ([OPTIONAL], "leer lassen", ["Phone"]),
        ([OPTIONAL], "dejar vacío", ["Phone"]),
        ([OPTIONAL], "אין", ["Phone"]),
        ([NAME, OPTIONAL], "Jas, no phone", ["Phone"]),
    ],
)
def test_what_is_to_stay_empty(fields, text, left):
    assert list(read(fields, text).left) == left


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("I don't know", "unknown"), ("dunno", "unknown"), ("?", "unknown"),
        ("keine Ahnung", "unknown"), ("ich weiß nicht", "unknown"), ("je ne sais pas", "unknown"),
        ("no lo sé", "unknown"), ("não sei", "unknown"), ("לא יודע", "unknown"),
        ("cancel", "cancelled"), ("never mind", "cancelled"), ("abbrechen", "cancelled"),
        ("annuler", "cancelled"), ("cancelar", "cancelled"), ("בטל", "cancelled"),
        ("no, delete it instead", "turned"), ("delete it", "turned"), ("click Home", "turned"),
        ("nein, lösche ihn", "turned"), ("non, ouvre le menu", "turned"), ("no, borra esto", "turned"),
        ("don't do that", "turned"), ("Which name?", "nothing"), ("", "nothing"),
        ("\u200f \u202e", "nothing"),
    ],
)  # fmt: skip
def test_what_is_no_value(text, says):
    found = read([NAME], text)
    assert (found.says, found.given) == (says, {})


def test_a_value_of_another_kind_is_not_taken():
    assert read([BORN], "Jas").says == "nothing"
    assert read([GENDER], "maybe").given == {}


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from([NAME, PHONE, BORN, TITLE, SECRET, GENDER]),
        min_size=1,
        max_size=3,
        unique=True,
    ),
    st.text(max_size=200),
)
def test_whatever_is_said_values_are_the_persons_own_words(fields, text):
    found = read(fields, text)
    assert set(found.given) | set(found.left) <= {one.name for one in fields}
    said = unicodedata.normalize("NFC", text)
    for value in found.given.values():
        assert all(word in said or not word.isprintable() for word in value.split())


def test_a_long_answer_is_read_in_no_time():
    began = time.process_time()
    for text in ("a " * 20_000, ", " * 20_000, "name " * 8_000, "1-" * 20_000, "x@" * 20_000):
        read([NAME, PHONE, MAIL, BORN], text)
    assert time.process_time() - began < 2
