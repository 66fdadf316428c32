"""The panel while another assistant asks, while an operator is asked, and when they have decided."""

from tests.browser.panel_delegations import ADVICE, HOSTILE_GOAL, HOSTILE_NAME, REVIEW, asked
from tests.browser.panel_state import State
from tests.browser.panel_views import STEPS, step, view

OTHERS = (
    State("assistant", asked=lambda: [asked(1)], ready="delegation", alike=True),
    State(
        "assistant-elsewhere",
        view("running", plan=[], steps=STEPS[:3], endedAt=None),
        asked=lambda: [asked(1, url="https://clinic.example/patients?page=9"), asked(2)],
        ready="delegation",
        alike=True,
    ),
    State(
        "assistant-hostile",
        asked=lambda: [asked(1, HOSTILE_NAME, HOSTILE_GOAL)],
        ready="delegation",
    ),
    State(
        "assistant-site",
        asked=lambda: [asked(1, url="https://clinic.example/", status="allowed")],
        ready="delegation-grant",
    ),
    State(
        "assistant-running",
        view(
            "running",
            plan=[],
            steps=[*STEPS[:1], step(9, ADVICE["line"], "talk", action="", verdict=""), *STEPS[1:3]],
            askedBy="Claude Desktop",
            endedAt=None,
        ),
    ),
    State(
        "review-waits",
        view("completed", steps=STEPS[:2], plan=[], result="Added Jas.", review=REVIEW),
        ready="review",
    ),
    State(
        "review-decided",
        view("completed", steps=STEPS[:2], plan=[], result="Added Jas.", review=REVIEW),
        decision="approved",
        ready="review",
        alike=True,
    ),
    State(
        "opinion",
        view("completed", steps=STEPS[:2], plan=[], result="Added Jas."),
        room="opinion-open",
        ready="opinion-note",
    ),
    State("chat-reviewed", chat="reviewed", ready="review"),
    State("chat-decided", chat="reviewed", decision="approved", ready="review", alike=True),
)
