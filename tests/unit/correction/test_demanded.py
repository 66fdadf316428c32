"""The same value as a page demands it, and None where that would be another."""

import pytest

from app.engines.correction.demanded import rewritten


@pytest.mark.parametrize(
    ("value", "said", "wanted"),
    [
        ("555 0101", "Phone may only contain digits, without spaces", "5550101"),
        ("+49 (30) 123-45", "Nur Ziffern erlaubt", "493012345"),
        ("2026-12-05", "Enter the date as DD/MM/YYYY", "05/12/2026"),
        ("2026-12-05", "Please use MM/DD/YYYY.", "12/05/2026"),
        ("2026-12-05", "Bitte als TT.MM.JJJJ eingeben", "05.12.2026"),
        ("2026-12-05", "Format attendu : JJ/MM/AAAA", "05/12/2026"),
        ("2026-12-05", "Use DD-MM-YY", "05-12-26"),
        ("555 123 4567", "Use the format (123) 456-7890", "(555) 123-4567"),
        ("5550101", "Expected ###-####", "555-0101"),
        ("ab 12 cd", "The code must not contain spaces", "ab12cd"),
        ("ab-12", "Only uppercase letters are allowed in the code", "AB-12"),
    ],
)
def test_the_value_is_written_as_the_page_wants_it(value, said, wanted):
    assert rewritten(value, said) == wanted


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("05/12/2026", "Enter the date as MM/DD/YYYY"),  # which of the two is the month?
        ("2026-02-30", "Enter the date as DD/MM/YYYY"),
        ("Jas", "Only digits are allowed"),
        ("555 0101", "Use the format (123) 456-7890"),
        ("555 0101", "Phone is required"),
        ("5550101", "Phone may only contain digits"),
        ("Jas", "Name must have 4 letters"),
        ("Jas", "Error 500 of 2026-12-05"),
    ],
)
def test_what_only_a_person_can_tell_is_left(value, said):
    assert rewritten(value, said) is None
