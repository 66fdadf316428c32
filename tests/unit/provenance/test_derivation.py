"""Values that a model works out, and those it would only make up."""

from datetime import date

import pytest

from app.domain.action import action
from app.domain.page import Node, Observation, Tree
from app.domain.plan import Decision, Proposal
from app.domain.reasoner import Situation
from app.provenance import enforce_sources

FIELD = Node(id="1", role="inp", name="Field")
OTHER = Node(id="2", role="inp", name="Other")
SLIDER = Node(id="1", role="range", name="Volume")
PAGE = "Coffee 10.50\nCake 19.50\nTotal 1,240.00\nCall 555 0142\nBackground red\nAddress: 5 Elm St\n17 + 25"
GOAL = "Fill the field as the note says, in French: good morning, due next Friday, again in 3 days"

CASES = {
    "a sum": ("30.00", "30.00 = sum: 10.50, 19.50", True),
    "a wrong sum": ("31.00", "31.00 = sum: 10.50, 19.50", False),
    "a sum of what nobody gave": ("12", "12 = sum: 5, 7", False),
    "a difference of thousands": ("1,229.50", "1,229.50 = difference: 1,240.00, 10.50", True),
    "a division by nothing": ("6", "6 = quotient: 10.50", False),
    "a count": ("2", "2 = count: Coffee, Cake", True),
    "a count as long as a number of somebody": ("5550199", "5550199 = count: Coffee", False),
    "another format": ("555-0142", "555-0142 = format: 555 0142", True),
    "an invented telephone": ("555-0199", "555-0199 = format: 555 0142", False),
    "an invented one, called a translation": ("555-0199", "555-0199 = translation: Call", False),
    "a translation": ("bonjour", "bonjour = translation: good morning", True),
    "a translation of nothing": ("bonjour", "bonjour = translation: ", False),
    "an address of mail": ("jas@mail.example", "jas@mail.example = translation: Coffee", False),
    "the code of a colour": ("#ff0000", "#ff0000 = code: red", True),
    "a date near today": ("2026-11-27", "2026-11-27 = date: next Friday", True),
    "another day than was said": ("2026-11-28", "2026-11-28 = date: next Friday", False),
    "a day counted from today": ("2026-11-27", "2026-11-27 = date: in 3 days", True),
    "a sum on the page": ("42", "42 = sum: 17, 25", True),
    "a sum that is not right": ("43", "43 = sum: 17, 25", False),
    "an amount with a point moved": ("12400.0", "12400.0 = format: 1,240.00", False),
    "a telephone of the same digits": ("555-0142", "555-0142 = join: 555 0142", True),
    "a date far off": ("1987-11-27", "1987-11-27 = date: next Friday", False),
    "seen in a picture that is not there": ("K7Q2", "K7Q2 = picture: the sign", False),
    "chosen for a field of a form": ("60", "60 = chosen", False),
    "an amount as it stands": ("1240.00", "1240.00 = format: 1,240.00", True),
    "an amount whose point is dropped": ("124000", "124000 = format: 1,240.00", False),
    "a number of two": ("555-0142-1240", "555-0142-1240 = join: 555 0142, 1,240.00", False),
    "a number of the page put together": ("55501421", "55501421 = join: 555 0142, 1", False),
    "more than can be counted": ("985", "985 = count: Coffee", False),
    "a word backwards": ("gnidrom", "gnidrom = reversal: mordnig", False),
    "words backwards": ("doog", "doog = reversal: good", True),
    "in base64": ("Z29vZCBtb3JuaW5n", "Z29vZCBtb3JuaW5n = encoding: good morning", True),
    "an address of parts": ("coffee@cake.example", "coffee@cake.example = join: Coffee, Cake", False),
    "a site without a scheme": ("evil.example", "evil.example = translation: good", False),
    "not named": ("30.00", "29.00 = sum: 10.50, 19.50", False),
    "no derivation": ("30.00", "30.00", False),
    "a short word of the page": ("St", "", True),
    "a part of a word of the page": ("Cof", "", False),
    "a short word of the page, called chosen": ("St", "St = chosen: Elm St", True),
    "a small number of the page": ("17", "", True),
}  # fmt: skip


def is_sent(value, line, *nodes, **page):
    seen = Observation(url="", tree=Tree.of(nodes), summary=PAGE, **page)
    typed = Proposal(action=action("setValue", "1", value), description="Enter it")
    chosen = Decision(outcome="act", maker="model", proposals=(typed,), derived=(line,))
    found = enforce_sources(chosen, Situation(goal=GOAL, page=seen, today=date(2026, 11, 24)))
    assert bool(found.proposals) is not bool(found.unsent)
    return found.proposals[0].provenance if found.proposals else None


@pytest.mark.parametrize(("value", "line", "sent"), CASES.values(), ids=CASES.keys())
def test_a_value_that_was_worked_out(value, line, sent):
    source = is_sent(value, line, FIELD, OTHER)
    assert (source is not None) is sent


DATED = "Born on 1990-05-04"


@pytest.mark.parametrize(
    ("value", "line", "sent"),
    [
        ("04.05.1990", "04.05.1990 = format: 1990-05-04", True),
        ("1990-04-05", "1990-04-05 = format: 1990-05-04", False),
        ("1990-05-11", "1990-05-11 = date: 1990-05-04", False),
    ],
)
def test_a_date_stays_the_same_day(value, line, sent, monkeypatch):
    monkeypatch.setattr("tests.unit.provenance.test_derivation.PAGE", DATED)
    assert (is_sent(value, line, FIELD, OTHER) is not None) is sent


IDENTIFYING = ["Name", "Empfänger", "Código BIC", "宛先", "אתר", "Сумма", "اسم"]


@pytest.mark.parametrize("name", IDENTIFYING)
def test_no_free_words_name_a_person_or_a_record(name):
    field = Node(id="1", role="inp", name=name)
    assert is_sent("Mallory", "Mallory = translation: good", field, OTHER) is None
    assert is_sent("7", "7 = chosen", field) is None
    assert is_sent("Morning Good", "Morning Good = format: good morning", field, OTHER)


@pytest.mark.parametrize("name", ["Notes", "Betreff", "件名", "Guess"])
def test_free_words_are_for_other_fields(name):
    assert is_sent("bonjour", "bonjour = translation: good", Node(id="1", role="inp", name=name))


def test_what_another_site_shows_is_no_input():
    framed = Node(id="2:9", role="txt", name="EMP 7731", frame=2)
    assert is_sent("EMP-7731", "EMP-7731 = format: EMP 7731", FIELD, OTHER, framed) is None


@pytest.mark.parametrize(
    "value",
    [
        "9!x2retnuH",
        "SHVudGVyMnghOQ==",
        "48756e7465723278 2139",
        "H u n t e r 2 x ! 9",
        "Uhagre2k!9",
    ],
)
def test_a_secret_in_another_writing_has_no_source(value):
    goal = "My password is Hunter2x!9, write a note"
    typed = Proposal(action=action("setValue", "1", value), description="Enter it")
    line = f"{value} = encoding: Hunter2x!9"
    chosen = Decision(outcome="act", maker="model", proposals=(typed,), derived=(line,))
    page = Observation(url="", tree=Tree.of([Node(id="1", role="inp", name="Note")]))
    assert not enforce_sources(chosen, Situation(goal=goal, page=page)).proposals


def test_the_origin_is_that_of_the_input_trusted_least():
    source = is_sent("bonjour", "bonjour = translation: good morning", FIELD, OTHER)
    assert (source.origin, source.excerpt) == ("goal", "good morning")
    source = is_sent("30.00", "30.00 = sum: 10.50, 19.50", FIELD, OTHER)
    assert (source.origin, source.operation, source.excerpt) == ("page", "sum", "10.50, 19.50")


def test_what_is_read_in_a_picture_is_recorded_with_its_place():
    line = "K7Q2 = picture: the sign at the top"
    source = is_sent("K7Q2", line, FIELD, OTHER, mode="hybrid", screenshot=b"jpeg")
    assert (source.operation, source.ref) == ("picture", "the sign at the top")


def test_a_slider_and_the_only_field_take_a_guess():
    assert is_sent("60", "60 = chosen", SLIDER, OTHER).operation == "chosen"
    assert is_sent("42", "42 = chosen", FIELD).operation == "chosen"
    assert is_sent("5550199", "5550199 = chosen", FIELD) is None
    assert is_sent("Ann", "Ann = chosen", FIELD) is None
    assert is_sent("ls", "ls = chosen", FIELD).operation == "chosen"
