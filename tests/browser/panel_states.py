"""Every state of the panel, as the runner's journal would hold it."""

# ruff: noqa: RUF001  a goal in Hebrew

from tests.browser.panel_others import OTHERS
from tests.browser.panel_questions import (
    CHOICES,
    HEBREW,
    LEFT,
    PATIENTS,
    PAYMENT,
    SAID,
    TAKEN,
    approval,
    question,
    waiting,
)
from tests.browser.panel_state import State
from tests.browser.panel_views import (
    AUTH,
    AWAY,
    CHANGED,
    CHANGED_STEPS,
    DONE,
    FRAMES,
    HAND_OVER,
    LONG_PLAN,
    LONG_RESULT,
    NEEDS,
    NOTICE,
    PART_PLAN,
    PARTS,
    PARTS_GOAL,
    PARTS_STEPS,
    STEPS,
    STOPPED,
    step,
    view,
)

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
    State("plain-address", settings="plain", ready="pair-code"),
    State(
        "running",
        view("running", thinking="Checking what changed…", plan=[], steps=STEPS[:3], endedAt=None),
        alike=True,
    ),
    State("plan-and-timeline", view("running", thinking="Click 'Save'", endedAt=None), alike=True),
    State("details", view("running", thinking="Click 'Save'", endedAt=None), room="what"),
    State(
        "question",
        waiting(
            question("disambiguation", "single_choice", "Which patient do you mean?", *CHOICES)
        ),
        ready="assist",
    ),
    State(
        "question-text",
        waiting(
            question("clarification", "free_text", "Which phone number should be stored for Jas?")
        ),
        ready="assist-input",
        alike=True,
    ),
    State(
        "question-many",
        waiting(
            question(
                "clarification", "multi_choice", "Which records should be exported?", *CHOICES[:2]
            )
        ),
        ready="assist-input",
    ),
    State(
        "approval",
        waiting(approval("Press 'Delete' for Jas Patel, 1990-03-12?")),
        ready="assist",
        alike=True,
    ),
    State("approval-values", waiting(PAYMENT), ready="assist"),
    State(
        "expired",
        view("interrupted", steps=LEFT, lapsed=PATIENTS, question=None, result=""),
        ready="assist-again",
    ),
    State("taken-over", view("waiting", held=True, endedAt=None, steps=TAKEN), ready="hand-back"),
    State("waiting-offline", waiting(PATIENTS), settings="dead", ready="assist-away"),
    State("answered", view("running", steps=SAID, thinking="Click 'Save'", endedAt=None)),
    State(
        "right-to-left-question",
        waiting(HEBREW, plan=[], goal=RTL["goal"]),
        ready="assist",
        alike=True,
    ),
    State(
        "question-fields",
        waiting(question("clarification", "free_text", NEEDS), plan=[], steps=[], costUsd=0.00042),
        ready="assist-input",
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
    State(
        "model-away",
        view("running", notice=AWAY, thinking="Click 'Save'", endedAt=None),
        alike=True,
    ),
    State("server-away", view("running", notice=NOTICE, endedAt=None)),
    State("frames", waiting(None) | {"notice": FRAMES}, ready="notice"),
    State(
        "key-refused",
        view("failed", plan=[], steps=[], result="", notice=AUTH),
        ready="pair-code",
        alike=True,
    ),
    State("stopped", view("interrupted", steps=STEPS[:4], result="", notice=STOPPED), alike=True),
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
                step(5, "Press Enter", "failed", way="Use the keyboard instead of the mouse"),
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
        alike=True,
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
    State("history-empty", room="history-button", past=False, ready="new-session", alike=True),
    State("history-offline", room="history-button", settings="dead", ready="new-session"),
    State("session", room="history-button", then="session", ready="talk"),
    State("recipes", room="recipes-button", then="recipe", ready="recipe-run"),
    State("recipes-empty", room="recipes-button", past=False, ready="recipes-room"),
    State(
        "recipes-offline", room="recipes-button", settings="dead", ready="recipes-room", alike=True
    ),
    State(
        "recipe-saved",
        view("completed", steps=STEPS[:2], plan=[], result="Added Jas as patient 4711."),
        room="save-recipe",
    ),
    State("knowledge", room="knowledge-button", ready="knowledge-document"),
    State("knowledge-empty", room="knowledge-button", past=False, ready="knowledge-learn"),
    State("knowledge-offline", room="knowledge-button", settings="dead", ready="knowledge-view"),
    State(
        "knowledge-first-run",
        settings="none",
        room="knowledge-button",
        ready="knowledge-view",
        alike=True,
    ),
    State(
        "knowledge-found",
        room="knowledge-button",
        then="knowledge-search",
        ask="How long can goods be returned?",
        ready="knowledge-result",
    ),
    State(
        "knowledge-nothing",
        room="knowledge-button",
        then="knowledge-search",
        ask="nothing",
        ready="knowledge-results",
        alike=True,
    ),
    State("knowledge-jobs", room="knowledge-button", documents="jobs", ready="knowledge-job"),
    State(
        "knowledge-link", room="knowledge-button", then="knowledge-add-link", ready="knowledge-link"
    ),
    State("knowledge-delete", room="knowledge-button", opened=True, ready="knowledge-delete-yes"),
    State(
        "learning",
        room="knowledge-button",
        then="knowledge-learn",
        opens=True,
        ready="knowledge-offer",
    ),
    State("chat-empty", chat="empty", ready="chat-example"),
    State("chat-no-documents", chat="empty", past=False, ready="chat-add-documents", alike=True),
    State("chat-answer", chat="answer", ready="chat-answer"),
    State("chat-compared", chat="compared", ready="chat-answer"),
    State("chat-reasoning", chat="reasoning", ask="How long is it?", ready="chat-found"),
    State("chat-loading", chat="loading", ready="chat-skeleton"),
    *(
        State(f"chat-{kind}", chat=kind, ready="chat-card", alike=kind in ("action", "low"))
        for kind in ("action", "document", "text", "low")
    ),
    State("chat-failed", chat="failed", ask="And food?", ready="chat-failed"),
    State("chat-offline", chat="answer", settings="dead", ready="chat-failed", alike=True),
    State("chat-conversations", chat="answer", room="chat-list-button", ready="chat-conversation"),
    State(
        "chat-rename",
        chat="answer",
        room="chat-list-button",
        then="chat-rename",
        ready="chat-rename-input",
        alike=True,
    ),
    State(
        "chat-delete",
        chat="answer",
        room="chat-list-button",
        then="chat-delete",
        ready="chat-delete-yes",
    ),
    *OTHERS,
    State("sites", room="site", ready="sites"),
    State("settings", document="options", ready="server-url"),
)

BY_NAME = {state.name: state for state in STATES}

__all__ = ["BY_NAME", "STATES", "State"]
