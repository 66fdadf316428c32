"""Questions as the panel shows them."""

# ruff: noqa: RUF001  names in Hebrew

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.browser.panel_views import STEPS, step, view

CHOICES = ("Jas Patel, born 1990-03-12", "Jas Patel, born 1964-07-30", "Neither: add a new patient")


def question(kind: str, expected: str, message: str, *labels: str) -> dict[str, Any]:
    options = [
        {"id": str(n), "label": label} | ({"elementId": f"{n}"} if kind == "disambiguation" else {})
        for n, label in enumerate(labels, 1)
    ]
    return {
        "type": "interrupt", "hitlId": f"h-{kind}-{expected}", "kind": kind,
        "interruptType": "x", "message": message, "expectedInput": expected,
        "options": options, "expiresAt": (datetime.now(UTC) + timedelta(minutes=4, seconds=8)).isoformat(),
    }  # fmt: skip


def waiting(asked: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    """A view with a question, and the line that it leaves in the timeline."""
    steps = [*STEPS[:2], talk(f"Asked: {asked['message'].splitlines()[0]}")] if asked else STEPS
    return view("waiting", **{"question": asked, "endedAt": None, "steps": steps} | more)


def talk(text: str, mark: str = "talk") -> dict[str, Any]:
    return step(
        9, text, mark, action="", element="", thought="", verdict="", tokens=0, ms=None,
        settled=None, id=text,
    )  # fmt: skip


def approval(message: str, *fields: str, **asked: Any) -> dict[str, Any]:
    made = {
        "action": 'click("31")', "description": "Press 'Delete'", "elementId": "31",
        "element": 'btn "Delete" in row: Jas Patel, 1990-03-12', "site": "clinic.example",
        "effects": ["deletes"], "undo": "This takes something away and cannot be undone here.",
    } | asked  # fmt: skip
    said = str(made["description"])
    yes = {"id": "yes", "label": f"Yes, {said[0].lower()}{said[1:]}", "elementId": None}
    no = {"id": "no", "label": "No, leave it", "elementId": None}
    lines = "\n".join([message, *(f"- {field}" for field in fields)])
    return question("approval", "yes_no", lines) | {
        "fields": list(fields), "approval": made, "options": [yes, no],
    }  # fmt: skip


PATIENTS = question("disambiguation", "single_choice", "Which patient do you mean?", *CHOICES)
PAYMENT = approval(
    "Press 'Pay now' in 'Payment of invoice 2026-118'?",
    "Amount: 1,240.00 EUR", "To: Nordlicht Medical Supplies GmbH, DE21 3704",
    "From: Office account", description="Press 'Pay now'", site="books.example",
    element='btn "Pay now" in form: Payment of invoice 2026-118', effects=["pays"],
    undo="This pays or orders something and cannot be undone here.",
)  # fmt: skip
HEBREW = question(
    "disambiguation", "multi_choice", "איזה מטופל למחוק?", "ג'ס פאטל, 1990", "ג'ס פאטל, 1964"
)
LEFT = [*STEPS[:2], talk("Asked: Which patient do you mean?"), talk("Nobody answered in time")]
SAID = [
    *STEPS[:2],
    talk("Asked: Which patient do you mean?"),
    talk("You answered: Jas Patel, born 1990-03-12"),
    talk("You allowed: press 'Delete' for Jas Patel, born 1990-03-12"),
    talk("You clicked 'Insurance'", "person"),
    talk("You typed into 'Policy number'", "person"),
    STEPS[4],
]
TAKEN = [*STEPS[:3], talk("You refused: press 'Delete' for Jas Patel, born 1990-03-12")]
