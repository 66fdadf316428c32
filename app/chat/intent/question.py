"""What is asked of the person where it is not clear what they want done."""

from app.domain.chat import ACTIONS, ChatAction, Intent
from app.domain.question import Option, Question

LABELS: dict[ChatAction, str] = {
    "summarize": "Summarize",
    "inquire": "Answer a question",
    "compare": "Compare",
    "audit": "Audit",
}
SEVERAL = "I can do one thing at a time. Which first?"
UNSURE = "What would you like me to do?"


def candidates_of(intent: Intent) -> list[tuple[ChatAction, str]]:
    """The actions to choose from, with their labels: of several those that were asked for, else all of
    them, the likeliest first.
    """
    meant = dict.fromkeys(intent.candidates)
    if not (intent.several and len(meant) > 1):
        meant = dict.fromkeys([*meant, intent.action, *ACTIONS])
    return [(action, LABELS[action]) for action in meant]


def question_of(intent: Intent) -> Question | None:
    """The question for what is not clear; None where it is."""
    if not intent.several and intent.confidence != "low":
        return None
    options = tuple(Option(id=action, label=label) for action, label in candidates_of(intent))
    if intent.several:
        return Question(text=SEVERAL, kind="disambiguation", options=options)
    return Question(text=UNSURE, kind="clarification", options=options)
