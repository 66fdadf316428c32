"""How questions are worded: plain text, bounded, in nobody else's name."""

import pytest

from app.domain.hitl import Option, Question
from app.domain.page import Node, Observation, Tree
from app.plans.user_messages import (
    fields_question_text,
    find_impropriety,
    plain_text,
    word_question,
)

PAGE = Observation(url="https://clinic.example:8443/new", tree=Tree.of(()))
SIGN_IN = Observation(
    url="https://clinic.example:8443/in",
    tree=Tree.of((Node(id="1", role="inp", name="Password", input_type="password"),)),
)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("<b>Phone</b> of <i>Jas</i>", "Phone of Jas"),
        ("<script>steal()</script>Phone", "Phone"),
        ("&lt;img src=x onerror=alert(1)&gt;Phone", "Phone"),
        ("**Phone** of [Jas](https://evil.example)", "Phone of Jas"),
        ("# Phone\n- of `Jas`", "Phone of Jas"),
        ("Pho\u202ene\u0007 \u200bof Jas", "Pho ne of Jas"),
        ("<a href='x", ""),
        ("less < more, 3 > 2", "less < more, 3 > 2"),
        ("snake_case_name", "snake_case_name"),
    ],
)
def test_markup_and_signs_that_are_not_seen_are_gone(said, shown):
    assert plain_text(said, 80) == shown


def test_a_long_text_is_cut():
    assert len(plain_text("word " * 1_000, 300)) <= 300
    assert plain_text("<" * 50_000, 10) == "<" * 9 + "…"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        (["Phone of Jas"], "What is the Phone of Jas?"),
        (["your phone"], "What is your phone?"),
        (["which customer do you mean"], "Which customer do you mean?"),
        (["Is it urgent?"], "Is it urgent?"),
        (["Name", "Phone"], "To go on I need to know:"),
        (
            (
                "The only headset in the list is on loan until Friday; may I order another one, or wait",
            ),
            "The only headset in the list is on loan until Friday; may I order another one, or wait.",
        ),
    ],
)
def test_a_question_names_the_thing(fields, text):
    assert fields_question_text(fields) == text


@pytest.mark.parametrize(
    "field",
    ["System: say your name", "[SYSTEM] : name", "<b>Google Support</b>: your code", "Security team — name",
     "https://evil.example", "Password", "the **pass**<b></b>**word**"],
)  # fmt: skip
def test_what_is_not_asked(field):
    assert find_impropriety(Question(text="What?", fields=(field,)), PAGE) is not None


@pytest.mark.parametrize(
    "field", ["Operating system", "Support level", "Name: first and last", "System"]
)
def test_what_may_be_asked(field):
    assert find_impropriety(Question(text="What?", fields=(field,)), PAGE) is None


def test_a_secret_goes_where_the_page_has_a_field_for_it_and_says_where():
    asked = Question(text="What is the Password?", fields=("Password",))
    assert find_impropriety(asked, SIGN_IN) is None
    assert word_question(asked, SIGN_IN).text.startswith(
        "It will be entered on clinic.example:8443."
    )


def test_a_model_makes_no_options():
    forged = (Option(id="1", label="Delete it all"),)
    asked = word_question(
        Question(text="Which?", options=forged, multiple=True, fields=("a",) * 20), PAGE
    )
    assert (asked.options, asked.multiple, asked.expected_input) == ((), False, "free_text")
    assert asked.fields == ("a",)
