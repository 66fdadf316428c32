"""The inputs that an action needs."""

import pytest

from app.chat.request.questions import (
    MAX_DOCUMENTS,
    NO_WEB,
    MissingInput,
    check_inputs,
    missing_input_question,
)
from app.domain.chat import ACTIONS, ChatAction, DocumentRef

A, B = DocumentRef(id="a", title="A"), DocumentRef(id="b", title="B")


@pytest.mark.parametrize(
    ("action", "documents", "text", "missing"),
    [
        ("summarize", [], "", "documents"),
        ("summarize", [A], "", None),
        ("inquire", [], "", None),
        ("compare", [A], "", "another_document"),
        ("compare", [A, A], "", "another_document"),
        ("compare", [A, B], "", None),
        ("audit", [], "Audit this: we pay in cash.", "documents"),
        ("audit", [A], "Audit this email against", "source_text"),
        ("audit", [A], "Audit this email against: Dear all, we pay in cash.", None),
    ],
)
def test_the_missing_input(
    action: ChatAction, documents: list[DocumentRef], text: str, missing: MissingInput | None
) -> None:
    assert check_inputs(action, text, documents, (), web=False).missing == missing


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("Audit this email against: Dear all, we pay cash.", "Dear all, we pay cash."),
        ("Check the text below against\n\nWe pay cash.\n\nAlways.", "We pay cash.\n\nAlways."),
        ("We pay in cash for all.\n\nDoes this comply with the policy?", "We pay in cash for all."),
        ('Is "we will pay in cash for everything" in line with', "we will pay in cash for everything"),
        ("Prüfe den Text gegen das Handbuch: Alle fliegen erster Klasse.", "Alle fliegen erster Klasse."),
        ("Check it against Pay. Staff stay.", "Check it against Pay. Staff stay."),
        ("Prüfe das: „Gäste zahlen acht Euro.“ Danke!", "Gäste zahlen acht Euro."),
        ('"Note: guests pay eight euros." Is it so?', "Note: guests pay eight euros."),
        ("בדוק מול המדריך: כל העובדים טסים במחלקה ראשונה.", "כל העובדים טסים במחלקה ראשונה."),
        ("The pool opens at eight. Guests pay.", "The pool opens at eight. Guests pay."),
        ("Is it open?", ""),
        ("Audit my text against", ""),
        ("Check at 12:30", ""),
    ],
)  # fmt: skip
def test_the_text_to_check_is_told_from_the_request(message: str, text: str) -> None:
    assert check_inputs("audit", message, [A], (), web=False).source == text


def test_the_given_text_comes_before_the_message() -> None:
    found = check_inputs(
        "audit", "Audit this: what I said", [A], (), web=False, source="We pay in cash."
    )
    assert found.source == "We pay in cash."


def test_a_comparison_drops_the_web_and_says_so() -> None:
    found = check_inputs("compare", "", [A, B], (), web=True)
    assert (found.web, found.notices) == (False, (NO_WEB,))
    assert check_inputs("inquire", "", [], (), web=True).web


def test_sets_add_their_documents_once_up_to_a_bound() -> None:
    many = [DocumentRef(id=f"d{at}", title="D") for at in range(80)]
    found = check_inputs("summarize", "", [B, many[3]], [A, B, *many], web=False)
    assert found.documents[:3] == (B, many[3], A)
    assert len(found.documents) == MAX_DOCUMENTS
    assert found.notices == ("Only the first 50 of 82 documents are read.",)


def test_each_missing_input_is_asked_for_in_words() -> None:
    asked = {
        missing_input_question(missing, action).text
        for missing in ("documents", "another_document", "source_text")
        for action in ACTIONS
    }
    assert all(text.endswith((".", "?")) for text in asked)
    assert len(asked) == len(ACTIONS) + 2
