"""What a document gives, found by its own lines: values by their names, and answers to plain questions."""

import pytest

from app.domain.background import Passage
from app.domain.directive import Directive, FieldValue, Target
from app.engines.documents import answer, facts, filled_in, wanted

TEXT = """# Company facts

- **VAT number:** DE123456789
- Support email: help@acme.example

Customers can return items within 30 days of delivery. Opened software is excluded.

| Plan | Price | Seats |
| --- | --- | --- |
| Basic | 10 EUR | 3 |
| Pro | 25 EUR | 10 |

The default payment terms are 14 days net.
Holiday requests are approved by the team lead.
"""
HANDBOOK = Passage(title="Handbook", label="Handbook, page 3", text=TEXT)


@pytest.mark.parametrize(
    ("name", "whose", "value"),
    [
        ("VAT number", "", "DE123456789"),
        ("payment terms", "", "14 days net"),
        ("support email", "", "help@acme.example"),
        ("price", "Pro plan", "25 EUR"),
        ("seats", "Basic", "3"),
    ],
)
def test_a_value_is_found_by_its_name(name: str, whose: str, value: str) -> None:
    assert [one.value for one in facts([HANDBOOK], name, whose)] == [value]


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("What is our VAT number?", "DE123456789"),
        ("How many days do customers have to return an item?", "30 days"),
        ("how many seats does the Pro plan have?", "10"),
        ("Who approves holiday requests?", "team lead"),
        ("what is the price of the Pro plan?", "25 EUR"),
    ],
)
def test_a_plain_question_is_answered_by_its_line(question: str, holds: str) -> None:
    found = answer([HANDBOOK], question)
    assert found is not None
    assert holds in found.line


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of France?",
        "How many customers do we have?",
        "What is the phone number of Ann?",
        "Who approves invoices?",
        "What is the price of the Gold plan?",
        "When is the office open?",
    ],
)
def test_what_the_documents_do_not_say_has_no_answer(question: str) -> None:
    assert answer([HANDBOOK], question) is None


def test_values_that_do_not_agree_are_no_answer() -> None:
    other = Passage(title="Old handbook", text="VAT number: DE987654321")
    assert answer([HANDBOOK, other], "What is our VAT number?") is None
    fill = Directive(verb="fill", value="from the handbook", target=Target(phrase="VAT number"))
    found = filled_in(fill, [HANDBOOK, other])
    assert found.lacking is not None
    assert "DE987654321" in found.lacking


@pytest.mark.parametrize(
    ("said", "field", "first"),
    [
        ("from the handbook", "VAT number", "VAT number"),
        ("the one in our handbook", "VAT number", "VAT number"),
        ("what the manual says", "payment terms", "payment terms"),
        ("the support email from our documents", "contact", "support email"),
        ("laut Handbuch", "USt-IdNr", "USt-IdNr"),
    ],
)
def test_a_value_may_be_left_to_the_documents(said: str, field: str, first: str) -> None:
    assert (wanted(said, field) or ("",))[0] == first


@pytest.mark.parametrize(
    "said", ["Manual", "from Berlin", "in stock", "Guide", "the handbook", "Paris"]
)
def test_a_value_is_a_value(said: str) -> None:
    assert wanted(said, "name") is None


def test_a_form_is_filled_with_what_the_documents_give() -> None:
    pairs = (
        FieldValue(field="name", value="Acme", quoted=True),
        FieldValue(field="payment", value="terms from the manual"),
    )
    found = filled_in(Directive(verb="create", fields=pairs), [HANDBOOK])
    assert found.lacking is None
    assert [one.value for one in found.directive.fields] == ["Acme", "14 days net"]


def test_what_they_do_not_give_is_lacking_and_not_typed() -> None:
    fill = Directive(verb="fill", value="from the handbook", target=Target(phrase="IBAN"))
    found = filled_in(fill, [HANDBOOK])
    assert found.lacking == "I looked in the documents for 'IBAN', and they do not say."


def test_quotation_marks_make_it_the_value_itself() -> None:
    fill = Directive(
        verb="fill",
        value="from the handbook",
        target=Target(phrase="title"),
        source="Set the title to 'from the handbook'",
    )
    assert filled_in(fill, [HANDBOOK]).lacking is None
