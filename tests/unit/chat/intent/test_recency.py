"""Whether a message speaks of what may have changed lately."""

from datetime import date

import pytest

from app.chat.intent import recent

TODAY = date(2026, 5, 1)


@pytest.mark.parametrize(
    "message",
    [
        "What are the latest capital rules?",
        "Is circular 7 still enforced?",
        "Which VAT rate applies now?",
        "Visa rules in 2026",
        "What changed this year?",
        "Is the guideline up to date?",
        "Any news on the directive?",
        "Gilt die Richtlinie noch?",
        "Welche Regeln gelten derzeit?",
        "Ce texte est-il encore en vigueur ?",
        "¿Sigue vigente esta norma?",
        "מה הכללים העדכניים?",
    ],
)
def test_what_may_have_changed(message: str) -> None:
    assert recent(message, today=TODAY)


@pytest.mark.parametrize(
    "message",
    [
        "What does a current account cost?",
        "Summarize Handbook 2026",
        "Compare the 2025 annual report with the budget",
        "The rules in 2019",
        "I know nowhere to look",
        "Summarize the file I uploaded today",
        "Now compare the two",
        'What does "latest" mean?',
        "The catalogue has 2026 items",
        "",
    ],
)
def test_what_only_looks_like_it(message: str) -> None:
    assert not recent(message, today=TODAY)


def test_names_of_documents_do_not_count() -> None:
    assert recent("What does Fees 2026 say?", today=TODAY)
    assert not recent("What does Fees 2026 say?", ["Fees 2026"], today=TODAY)
