"""What two sentences are to each other."""

import pytest

from app.chat.statements import Statement, amounts_of, related

SURE = 0.9  # likeness of two that are about the same thing


def relation(one: str, other: str) -> tuple[str, str]:
    found = related(Statement(one, "P1"), Statement(other, "P2"), SURE)
    assert found is not None
    return found.kind, found.what


@pytest.mark.parametrize(
    ("one", "other", "what"),
    [
        (
            "A doctor's note is needed from the third day of sickness on.",
            "A doctor's note is needed from the first day of sickness on.",
            "third day / first day",
        ),
        (
            "Rent is due on the 1st of each month.",
            "Rent is due on the fifth of each month.",
            "1st / fifth",
        ),
        (
            "After the second reminder a fee is due.",
            "After the third reminder a fee is due.",
            "second reminder / third reminder",
        ),
        (
            "A loss must be reported within 24 hours.",
            "A loss must be reported immediately.",
            "24 hours / immediately",
        ),
        (
            "Fire drills take place twice a year.",
            "Fire drills take place four times a year.",
            "twice a year / four times a year",
        ),
        (
            "Accidents must be reported on the day they happen.",
            "Accidents must be reported within 24 hours.",
            "no such amount / within 24 hours",
        ),
        (
            "Notice must be given in writing.",
            "Notice must not be given in writing.",
            "required / not allowed",
        ),
    ],
)
def test_they_differ_and_in_what(one: str, other: str, what: str) -> None:
    assert relation(one, other) == ("differ", what)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Leave must be requested at least two weeks in advance.",
            "Leave must be requested no later than 14 days in advance.",
        ),
        ("Fire drills take place twice a year.", "Fire drills take place every six months."),
        (
            "Reports are due by the fifth day of the month.",
            "Reports are due by the 5th of each month.",
        ),
        ("The fee is at most 40 euros.", "The fee may not be more than €40."),
        (
            "Every floor has people trained in first aid.",
            "Each floor has people trained in first aid.",
        ),
    ],
)
def test_the_same_in_other_words_agrees(one: str, other: str) -> None:
    assert relation(one, other)[0] == "agree"


def test_a_denial_of_something_else_is_not_told_as_one_of_this() -> None:
    kind, what = relation(
        "Notice must be given in writing.",
        "Notice has to be given in writing; e-mail is not sufficient.",
    )
    assert (kind, what) == ("differ", "")


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("It may not last longer than 3 hours.", "most"),
        ("Never use fewer than 8 characters.", "least"),
        ("Use 8 characters or more.", "least"),
        ("Answer at the latest 3 days before the trip.", "least"),
        ("Answer within the 3 days.", "most"),
        ("It lasts 3 hours.", "exact"),
    ],
)
def test_whether_an_amount_is_the_least_or_the_most(text: str, bound: str) -> None:
    assert [one.bound for one in amounts_of(text)] == [bound]


@pytest.mark.parametrize(
    "text", ["See section 4.", "First aid kits.", "It is TLS.", "A third party."]
)
def test_what_is_no_amount(text: str) -> None:
    assert amounts_of(text) == ()


def test_words_of_one_root_are_about_the_same() -> None:
    pairs = [
        ("probation lasts", "the probationary period lasts"),
        ("in case of illness", "in case of sickness"),
        ("carry it over", "it is carried over"),
    ]
    for one, other in pairs:
        assert Statement(one, "P1").terms & Statement(other, "P2").terms
