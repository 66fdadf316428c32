"""Every state of the panel, as the runner's journal would hold it."""

# ruff: noqa: RUF001  a goal in Hebrew

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
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


def question(kind: str, expected: str, message: str, *labels: str) -> dict[str, Any]:
    options = [{"id": str(n), "label": label} for n, label in enumerate(labels, 1)]
    return {
        "type": "interrupt", "hitlId": f"h-{kind}-{expected}", "kind": kind,
        "interruptType": "x", "message": message, "expectedInput": expected,
        "options": options, "expiresAt": (datetime.now(UTC) + timedelta(minutes=4, seconds=8)).isoformat(),
    }  # fmt: skip


def waiting(asked: dict[str, Any], **more: Any) -> dict[str, Any]:
    return view("waiting", question=asked, endedAt=None, **more)


@dataclass(frozen=True)
class State:
    """One state: the run in the journal, and what is done in the panel to get there."""

    name: str
    view: dict[str, Any] | None = None
    settings: str = "paired"  # paired | none | dead
    room: str = ""  # a test id to click
    then: str = ""  # another one
    ready: str = "goal-input"  # the test id that is there when it is reached
    tab: str = "page"
    document: str = "panel"
    past: bool = True


CHOICES = ("Jas Patel, born 1990-03-12", "Jas Patel, born 1964-07-30", "Neither: add a new patient")
NOTICE = {
    "kind": "offline", "text": "The server at http://127.0.0.1:8787 does not answer; trying again in 8 s.",
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
    "kind": "info", "text": "Stopped. Nothing more is done.",
    "button": {"label": "Continue", "does": "continue"},
}  # fmt: skip
HAND_OVER = {
    "kind": "hand-over",
    "text": "You can do this yourself: Fill in name and phone. Then let me go on from there.",
    "button": {"label": "I did it, go on", "does": "hand-back"},
    "also": {"label": "Dismiss", "does": "dismiss"},
}  # fmt: skip
RTL = {
    "goal": "הוסף מטופל חדש בשם ג'ס עם הטלפון 555-0142",
    "result": "המטופל ג'ס נוסף. מספר המטופל הוא 4711.",
    "steps": [step(1, "פתח את התפריט 'מטופלים'"), step(2, "Enter 'ג׳ס' as name")],
    "plan": [],
    "model": "no model",
}
WORDS = "https://clinic.example/" + "averyveryverylongpathwithoutanybreak" * 4
MANY = [
    step(n, f"Copy row {n} into the form", "verified" if n % 7 else "failed") for n in range(1, 201)
]

STATES = (
    State("first-run", settings="none", ready="pair-code"),
    State("empty"),
    State("permission", tab="elsewhere", ready="notice"),
    State("offline", settings="dead", ready="notice"),
    State(
        "running",
        view("running", thinking="Checking what changed…", plan=[], steps=STEPS[:3], endedAt=None),
    ),
    State("plan-and-timeline", view("running", thinking="Click 'Save'", endedAt=None)),
    State("details", view("running", thinking="Click 'Save'", endedAt=None), room="what"),
    State(
        "question",
        waiting(
            question("disambiguation", "single_choice", "Which patient do you mean?", *CHOICES)
        ),
    ),
    State(
        "question-text",
        waiting(
            question("clarification", "free_text", "Which phone number should be stored for Jas?")
        ),
    ),
    State(
        "question-many",
        waiting(
            question(
                "clarification", "multi_choice", "Which records should be exported?", *CHOICES[:2]
            )
        ),
    ),
    State(
        "approval",
        waiting(
            question(
                "approval",
                "yes_no",
                "Delete the record of Jas Patel, born 1990-03-12? This cannot be undone.",
            )
        ),
    ),
    State(
        "question-fields",
        waiting(question("clarification", "free_text", NEEDS), plan=[], steps=[], costUsd=0.00042),
    ),
    State(
        "sub-tasks",
        view(
            "running",
            goal=PARTS_GOAL,
            plan=PART_PLAN,
            parts=PARTS,
            steps=PARTS_STEPS,
            thinking="Click 'New ticket'",
            endedAt=None,
            tokens=2_940,
            costUsd=0.00031,
        ),
    ),
    State(
        "plan-changed",
        view("running", plan=CHANGED, steps=CHANGED_STEPS, thinking="Click 'Save'", endedAt=None),
        room="what",
    ),
    State("model-away", view("running", notice=AWAY, thinking="Click 'Save'", endedAt=None)),
    State("server-away", view("running", notice=NOTICE, endedAt=None)),
    State("frames", waiting(None) | {"notice": FRAMES}, ready="notice"),
    State(
        "key-refused", view("failed", plan=[], steps=[], result="", notice=AUTH), ready="pair-code"
    ),
    State("stopped", view("interrupted", steps=STEPS[:4], result="", notice=STOPPED)),
    State("completed", view("completed", steps=STEPS[:4], plan=DONE, result=LONG_RESULT)),
    State(
        "failed",
        view(
            "failed",
            steps=[
                *STEPS[:3],
                step(4, "Click 'Save'", "failed", error="Covered by 'Cookie notice'"),
                step(5, "Press Escape", "unknown"),
            ],
            result="'Save' could not be pressed: a cookie notice covers it and does not close.",
        ),
    ),
    State(
        "hand-over",
        view(
            "failed",
            steps=[
                *STEPS[:3],
                step(4, "Click 'Save'", "retried", error="Nothing answered"),
                step(5, "Press Enter", "failed", way="The keyboard instead of the mouse"),
            ],
            result="Three other ways were tried, and none worked. Tried: Click 'Save' (failed: "
            "nothing answered); Press Enter (failed: nothing answered).",
            notice=HAND_OVER,
        ),
        ready="notice",
    ),
    State(
        "many-steps",
        view(
            "running",
            plan=LONG_PLAN,
            steps=MANY,
            thinking="Copy row 201 into the form",
            endedAt=None,
            tokens=182_400,
            costUsd=1.239,
        ),
    ),
    State("right-to-left", view("completed", **RTL)),
    State(
        "long-words",
        view(
            "completed",
            goal=f"Open {WORDS}",
            steps=[step(1, f"Open {WORDS}")],
            plan=[],
            result=WORDS,
            url=f"https://{'a-very-long-name-of-a-site.' * 3}example/",
            model="a-model-with-a-rather-long-name-2026-11-preview",
        ),
    ),
    State("history", room="history-button", ready="sessions"),
    State("history-empty", room="history-button", past=False, ready="new-session"),
    State("history-offline", room="history-button", settings="dead", ready="new-session"),
    State("session", room="history-button", then="session", ready="talk"),
    State("recipes", room="recipes-button", then="recipe", ready="recipe-run"),
    State("recipes-empty", room="recipes-button", past=False, ready="recipes-room"),
    State("recipes-offline", room="recipes-button", settings="dead", ready="recipes-room"),
    State(
        "recipe-saved",
        view("completed", steps=STEPS[:2], plan=[], result="Added Jas as patient 4711."),
        room="save-recipe",
    ),
    State("sites", room="site", ready="sites"),
    State("settings", document="options", ready="server-url"),
)
