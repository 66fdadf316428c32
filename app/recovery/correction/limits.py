"""How often a step is tried again, what a try is called, and what is told of it."""

from app.domain.action import ActionRecord
from app.domain.plan import Correction, Decision
from app.domain.reasoner import Situation
from app.errors import LimitReached, MaxConsecutiveFailures, MaxRetriesExceeded
from app.recovery.second_look import SECOND_LOOK

MAX_RETRIES = 3  # interact_flow.md, step 3.4: corrections of one step
_COUNT = {2: "Two", 3: "Three", 4: "Four"}.get(MAX_RETRIES, str(MAX_RETRIES))
MAX_FAILURES = 5  # failures in a row, over steps
PREPARES = frozenset({"wait", "scroll"})
"""Actions that are no try of their own: they belong to the one after them."""


def attempts(deeds: tuple[ActionRecord, ...], step: int) -> int:
    """Corrections tried in that step."""
    return sum(
        deed.step == step and deed.purpose == "correct" and deed.action.name not in PREPARES
        for deed in deeds
    )


def failures_in_a_row(deeds: tuple[ActionRecord, ...]) -> int:
    """Failed actions since the last one that worked; waiting and scrolling count as neither."""
    count = 0
    for deed in reversed(deeds):
        if deed.step < 0:  # of a plan that is no more
            break
        if deed.status == "failure":
            count += 1
        elif deed.status == "success" and deed.action.name not in PREPARES:
            break
    return count


def limit_reached(deeds: tuple[ActionRecord, ...], step: int) -> LimitReached | None:
    """The error to end the task with, its detail saying what was tried; None while it may go on."""
    if failures_in_a_row(deeds) >= MAX_FAILURES:
        return MaxConsecutiveFailures(f"{MAX_FAILURES} actions failed in a row. {tried(deeds)}")
    if attempts(deeds, step) >= MAX_RETRIES:
        here = tuple(deed for deed in deeds if deed.step == step)
        return MaxRetriesExceeded(f"{_COUNT} other ways were tried, and none worked. {tried(here)}")
    return None


def tried(deeds: tuple[ActionRecord, ...]) -> str:
    """What was tried and what came of it, in one sentence; empty when nothing was."""
    told = dict.fromkeys(_told(deed) for deed in deeds if deed.status != "pending")
    return f"Tried: {'; '.join(told)}." if told else ""


def _told(deed: ActionRecord) -> str:
    what = deed.description or deed.action.text
    outcome = {"success": "done", "failure": "failed", "unknown": "outcome not known"}[deed.status]
    return f"{what} ({outcome}{': ' + deed.note if deed.note and deed.status != 'success' else ''})"


def named(refinement: Decision, situation: Situation) -> Correction | None:
    """The correction that the refinement is.

    None for one more look before a failure is believed, and where there is nothing left to try.
    """
    if refinement.strategy == SECOND_LOOK or refinement.outcome == "missing":
        return None
    return Correction(
        strategy=refinement.strategy or refinement.thought or refinement.outcome,
        attempt=attempts(situation.deeds, situation.plan.current) + 1,
        source=refinement.source or ("model" if refinement.maker == "model" else "strategy"),
    )
