"""What a model expects of an action, as far as it can be checked."""

from typing import get_args

from app.domain.action import POINT_ACTIONS, PRESSES, Action
from app.domain.page import Observation, Role
from app.domain.verdict import ExpectedOutcome, NextGoal
from app.page.controls import is_opener
from app.planning.prediction.check import shows
from app.planning.prediction.predict import TOGGLES

MOST_TEXTS = 5  # texts that should appear or go; more are a description and no expectation
LONGEST_TEXT = 80  # characters; a longer one is a sentence of the model's own and never on a page
DISCOUNT = 0.8  # of the sureness a model states, which is of its choice and not of what comes
_OPEN = PRESSES | POINT_ACTIONS | {"rightClick", "pressKey", "dragTo", "hover"}
_ROLES = frozenset(get_args(Role))


def merged(
    made: ExpectedOutcome, told: ExpectedOutcome, last: Action, page: Observation
) -> ExpectedOutcome:
    """The template's expectation with what was told.

    What the page must hold for the next step is taken of any action. Texts, and whether the address
    changes, only where the last action is one that templates know nothing of: a value entered, a
    box ticked, a list opened is read back from the page itself. So `values` are never taken.
    """
    if told.next_goal is not None and not (made.next_goal and made.next_goal.required):
        made = made.model_copy(update={"next_goal": _goal(told.next_goal)})
    node = page.tree.get(last.target or "")
    if last.name not in _OPEN or (node and (node.role in TOGGLES or is_opener(node))):
        return made
    came = _texts(told.elements, page, there=False)
    went = _texts(told.gone, page, there=True)
    address = made.url_should_change
    address = told.url_should_change if address is None else address
    sure = made.confidence
    if told.confidence and (came or went or address is not made.url_should_change):
        sure = round(min(sure, told.confidence * DISCOUNT), 3)  # as likely as the less likely
    return made.model_copy(
        update={
            "description": told.description.strip() or made.description,
            "url_should_change": address,
            "elements": came,
            "gone": went,
            "confidence": sure,
        }
    )


def _texts(texts: tuple[str, ...], page: Observation, *, there: bool) -> tuple[str, ...]:
    """The texts that say something: what is to appear is not there yet, what is to go is."""
    kept = dict.fromkeys(text.strip() for text in texts if 0 < len(text.strip()) <= LONGEST_TEXT)
    return tuple(text for text in kept if shows(page, text) is there)[:MOST_TEXTS]


def _goal(goal: NextGoal) -> NextGoal:
    """The goal as the page can show it; what nothing can be looked for is never required.

    Beside a text the role is dropped: what a model calls a button is a link often enough.
    """
    role = goal.role if goal.role in _ROLES and not goal.text else None
    told = goal.model_copy(update={"role": role})
    return told if goal.text or role else told.model_copy(update={"required": False})
