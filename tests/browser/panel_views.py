"""Runs as the runner publishes them: what the panel's states are made of."""

from datetime import UTC, datetime
from typing import Any

START = int(datetime.now(UTC).timestamp() * 1000) - 12_000
GOAL = "Add a new patient with name 'Jas' and phone 555-0142, then open the new record"
SITE = "https://clinic.example/patients"
LONG_RESULT = (
    "Added Jas Patel as patient 4711 and opened the record. The phone number was stored as 555-0142; "
    "the form asked for a date of birth, which you had not given, so the field was left empty as the "
    "form allows. The list now shows 214 patients, sorted by name, with Jas Patel on page 9. One "
    "message stayed on the page: “Insurance is missing: the record cannot be billed until one is "
    "added”. Nothing else was changed. If insurance should be added, say which one, and whether it "
    "holds from today or from the day of the first visit, which the record shows as 2026-11-03. "
    "Invoices are unaffected."
)


def step(number: int, text: str, mark: str = "verified", **more: Any) -> dict[str, Any]:
    made = {
        "id": f"s{number}", "text": text, "mark": mark, "action": f'click("{10 + number}")',
        "element": f"button '{text.split()[-1]}'", "thought": "The form is behind this button.",
        "verdict": "The dialog 'New patient' opened (97 % sure)", "error": "", "tokens": 412,
        "ms": 184, "at": START + 1_700 * number,
        "settled": {"ms": 640, "network": 2, "dom": 31, "timedOut": False},
    }  # fmt: skip
    return made | more


STEPS = [
    step(1, "Open the 'Patients' menu"),
    step(2, "Click 'New patient'"),
    step(3, "Enter 'Jas' as name", "retried", error="The value did not stay; typed key by key"),
    step(4, "Enter '555-0142' as phone", "done"),
    step(5, "Click 'Save'", "pending", verdict="", ms=None),
]
PLAN = [
    {"id": f"p{n}", "description": text, "status": status}
    for n, (text, status) in enumerate(
        [
            ("Open the form for a new patient", "completed"),
            ("Fill in name and phone", "current"),
            ("Save the patient", "pending"),
            ("Open the new record", "pending"),
        ]
    )
]
DONE = [line | {"status": "completed"} for line in PLAN]
CHANGED = [
    PLAN[0],
    PLAN[1] | {"status": "skipped"},
    PLAN[2] | {"status": "current"},
    PLAN[3],
]
CHANGED_STEPS = [
    step(1, "Open the 'Patients' menu", "retried", error="Covered by 'Cookie notice'"),
    step(
        2, "Changed the plan: a dialog came up", "done",
        action="", element="", thought="", verdict="", tokens=0, ms=None, settled=None,
        why="It is closed first",
    ),
    step(
        3, "Click 'Close'", "verified",
        way="Close what is in front of it first, which helped here before",
        verdict="The dialog is gone (by the model, 88 % sure)",
    ),
]  # fmt: skip
LONG_PLAN = [
    {"id": f"q{n}", "description": f"Copy row {n} of the list into the form and save it",
     "status": "completed" if n < 9 else "current" if n == 9 else "pending"}
    for n in range(1, 15)
]  # fmt: skip


PARTS = [
    {"id": f"t{n}", "goal": text, "status": status}
    for n, (text, status) in enumerate(
        [
            ("Find the phone number of Ann Lee", "completed"),
            ("Create a ticket 'Call back' with that number", "current"),
            ("Tell the front desk that the ticket is there", "pending"),
        ],
        1,
    )
]
PART_PLAN = [
    {"id": f"u{n}", "description": text, "status": status}
    for n, (text, status) in enumerate(
        [
            ("Open the tickets", "completed"),
            ("Open a new ticket", "current"),
            ("Fill in the ticket and create it", "pending"),
        ],
        1,
    )
]
PARTS_GOAL = (
    "Look up the phone number of Ann Lee, put it into a ticket 'Call back', and tell the front desk"
)
PARTS_STEPS = [
    step(1, "Click 'Ann Lee'", thought="Two pages are needed: the record first, then a ticket."),
    step(2, "Click 'Tickets'", tokens=1_104),
    step(3, "Click 'New ticket'", "pending", verdict="", ms=None),
]
NOTICE = {
    "kind": "offline", "text": "The server at http://127.0.0.1:8787 is not responding; trying again in 8 s.",
    "button": {"label": "Try now", "does": "retry"},
}  # fmt: skip
FRAMES = {
    "kind": "permission",
    "text": "Part of this page comes from pay.example, which Tabwright may not touch yet.",
    "button": {"label": "Allow pay.example", "does": "grant", "origin": "https://pay.example"},
    "also": {"label": "Dismiss", "does": "dismiss"},
}  # fmt: skip
AUTH = {
    "kind": "auth", "text": "The server does not accept this API key.",
    "button": {"label": "Open settings", "does": "settings"},
}  # fmt: skip
STOPPED = {
    "kind": "info", "text": "Stopped. Nothing more will be done.",
    "button": {"label": "Continue", "does": "continue"},
}  # fmt: skip
HAND_OVER = {
    "kind": "hand-over",
    "text": "You can do this yourself: Fill in name and phone. Then let me go on from there.",
    "button": {"label": "I did it, continue", "does": "hand-back"},
    "also": {"label": "Dismiss", "does": "dismiss"},
}  # fmt: skip
AWAY = {
    "kind": "model",
    "text": "The model did not answer (gemini-3-flash: it is overloaded); going on by rules.",
}
NEEDS = "To go on I need to know:\n- Phone number of Jas\n- Date of birth, or that it is not known"


def view(state: str, **more: Any) -> dict[str, Any]:
    """A view as the runner publishes it."""
    made = {
        "state": state, "goal": GOAL, "url": SITE, "plan": PLAN, "steps": STEPS, "thinking": None,
        "notice": None, "question": None, "result": None, "startedAt": START,
        "endedAt": START + 12_400, "costUsd": 0.0042, "tokens": 3_180, "model": "gemini-3-flash",
        "taskId": "t",
    }  # fmt: skip
    return made | more
