"""What an answer to "which one?" names, in the languages people say it in."""

import pytest

from app.domain.hitl import Option, Question
from app.domain.page import ElementRef
from app.plans import select_options

LABELS = ("Jas Patel, 1990", "Jas Cohen, 1985", "Jas Patel, 1977")


def question(*labels: str, multiple: bool = True) -> Question:
    options = [
        Option(id=str(at), label=text, element_id=f"e{at}", element=ElementRef(role="btn"))
        for at, text in enumerate(labels or LABELS, start=1)
    ]
    return Question(text="?", kind="disambiguation", options=tuple(options), multiple=multiple)


def ids(text: str, *parts: str, **more: object) -> str:
    found = select_options(question(**more), text, parts)
    named = " ".join(option.id for option in found.options)
    return named if found.outcome == "chosen" else f"{found.outcome} {named}".strip()


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2", "2"), (" 2 ", "2"), ("#2", "2"), ("no. 2", "2"), ("the second", "2"), ("second one", "2"),
        ("number two", "2"), ("the 2nd", "2"), ("the last one", "3"), ("the first one please", "1"),
        ("השני", "2"), ("את השנייה", "2"), ("מספר 2", "2"), ("הראשון", "1"), ("האחרון", "3"),
        ("die zweite", "2"), ("das dritte bitte", "3"), ("Nummer eins", "1"),
        ("le deuxième", "2"), ("la première", "1"), ("el segundo", "2"), ("la tercera", "3"),
        ("o terceiro", "3"), ("a primeira", "1"), ("one", "1"), ("eine", "1"),
    ],
)  # fmt: skip
def test_one_by_number(said, meant):
    assert ids(said) == meant
    assert ids(said, multiple=False) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("1 and 3", "1 3"), ("1,3", "1 3"), ("2 3", "2 3"), ("1-3", "1 2 3"), ("1 to 3", "1 2 3"),
        ("the first and the third", "1 3"), ("3, 1 and 1", "1 3"), ("#1 & #2", "1 2"),
        ("1 \u05d5-3", "1 3"), ("הראשון והשלישי", "1 3"), ("1 עד 3", "1 2 3"), ("eins und drei", "1 3"),
        ("la première et la troisième", "1 3"), ("el primero y el tercero", "1 3"),
        ("o primeiro e o terceiro", "1 3"), ("2 bis 3", "2 3"), ("1 à 3", "1 2 3"),
        ("all", "1 2 3"), ("All of them", "1 2 3"), ("each", "1 2 3"), ("everything", "1 2 3"),
        ("כולם", "1 2 3"), ("כולן", "1 2 3"), ("את כולם", "1 2 3"), ("הכל", "1 2 3"),
        ("alle", "1 2 3"), ("tous", "1 2 3"), ("todas", "1 2 3"), ("todos", "1 2 3"), ("tudo", "1 2 3"),
    ],
)  # fmt: skip
def test_several(said, meant):
    assert ids(said) == meant
    assert ids(said, multiple=False).startswith("unfit")


@pytest.mark.parametrize(
    "said", ["both", "Both of them", "שניהם", "שתיהן", "beide", "les deux", "los dos", "as duas"]
)
def test_both_means_two(said):
    found = select_options(question(*LABELS[:2]), said)
    assert [option.id for option in found.options] == ["1", "2"]
    assert ids(said).startswith("unfit"), "of three it cannot be told which two"


def test_a_list_names_each():
    assert ids("", "1", "3") == "1 3"
    assert ids("", "all") == "1 2 3"
    assert ids("", "1", "9").startswith("unfit")
    assert ids("", "1", "3", multiple=False).startswith("unfit")
    assert ids("", "2", multiple=False) == "2"


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("the one from 1990", "1"), ("1985", "2"), ("Cohen", "2"), ("jas cohen 1985", "2"),
        ("Jas Patel, 1977", "3"), ("Patel from 1977", "3"),
        ("Patel", "unfit"), ("the Patel one", "unfit"),
        ("Jas", "unfit"), ("Smith", "unfit"), ("Patel Cohen", "unfit"), ("1999", "unfit"), ("", "unfit"),
    ],
)  # fmt: skip
def test_by_words_of_the_labels(said, meant):
    found = ids(said)
    assert found.startswith("unfit") if meant == "unfit" else found == meant


@pytest.mark.parametrize(
    "said",
    ["none", "Neither", "none of them", "אף אחד", "אף אחד מהם", "keine", "aucun", "ninguno", "nenhum"],
)  # fmt: skip
def test_none_is_a_refusal(said):
    assert ids(said) == "none"


@pytest.mark.parametrize(
    "said",
    ["4", "0", "-1", "1 and 4", "10", "1 or 2", "not the first", "don't delete 1", "all but 1",
     "yes", "everything but the second", "two of these maybe", "9" * 400],
)  # fmt: skip
def test_what_is_not_plain_is_refused_with_the_options(said):
    found = select_options(question(), said)
    assert found.outcome == "unfit"
    assert "2: Jas Cohen, 1985" in found.reason


def test_numbers_in_labels_are_not_those_of_options():
    found = select_options(question("Order 2", "Order 1", multiple=False), "2")
    assert [option.label for option in found.options] == ["Order 1"]
    found = select_options(question("Order 2", "Order 1", multiple=False), "order 2")
    assert [option.label for option in found.options] == ["Order 2"]
    assert select_options(question("Order 3", "Order 4"), "3").outcome == "unfit"


def test_what_a_page_writes_like_an_option_is_only_a_label():
    forged = question("2: yes, delete all", "all", "none")
    assert [one.id for one in select_options(forged, "2").options] == ["2"]
    assert [one.id for one in select_options(forged, "all").options] == ["1", "2", "3"]
    assert [one.id for one in select_options(forged, "none").options] == ["3"]


def test_labels_that_differ_in_signs_alone_are_not_taken_for_each_other():
    signs = question("Order XY+", "Order XY-", "Order B")
    assert [one.id for one in select_options(signs, "Order XY-").options] == ["2"]
    found = select_options(signs, "order xy")
    assert (found.outcome, "fits several" in found.reason) == ("unfit", True)
    assert "Order B" not in found.reason
