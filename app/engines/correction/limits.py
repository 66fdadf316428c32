"""How often a step is tried again, what a try is called, and what is told of it."""

from itertools import zip_longest

from app.domain.plan import Correction, Deed, Refinement
from app.engines.reasoner import Situation
from app.engines.recovery.second_look import SECOND_LOOK
from app.errors import LimitReached, MaxConsecutiveFailures, MaxRetriesExceeded

MAX_RETRIES = 3  # interact_flow.md, step 3.4: corrections of one step
_COUNT = {2: "Two", 3: "Three", 4: "Four"}.get(MAX_RETRIES, str(MAX_RETRIES))
MAX_FAILURES = 5  # failures in a row, over steps
_PREPARES = frozenset({"wait", "scroll"})


def attempts(deeds: tuple[Deed, ...], step: int) -> int:
    """Corrections tried in that step. A wait or scroll before another try is part of that try."""
    here = [deed for deed in deeds if deed.step == step]
    pairs = zip_longest(here, here[1:])
    return sum(_is_a_try(deed, following) for deed, following in pairs)


def _is_a_try(deed: Deed, following: Deed | None) -> bool:
    if deed.purpose != "correct" or deed.strategy == SECOND_LOOK:
        return False
    if deed.action.name not in _PREPARES or following is None or following.purpose != "correct":
        return True
    return not (_only_prepares(deed) or following.strategy == deed.strategy)


def attempt(deeds: tuple[Deed, ...], step: int) -> int:
    """The number, from 1, of the correction that comes next in that step.

    What follows a wait or a scroll is the try that it prepared.
    """
    here = [deed for deed in deeds if deed.step == step]
    last = here[-1] if here else None
    prepared = last is not None and last.purpose == "correct" and _only_prepares(last)
    return attempts(deeds, step) + (0 if prepared else 1)


def _only_prepares(deed: Deed) -> bool:
    """Whether it was sent alone, as a wait or a scroll before another look, and not within a try."""
    alone = deed.strategy in ("", *_PREPARES)
    return alone and deed.action.name in _PREPARES and deed.status != "failure"


def failures_in_a_row(deeds: tuple[Deed, ...]) -> int:
    """Failed actions since the last one that worked; waiting and scrolling count as neither."""
    count = 0
    for deed in reversed(deeds):
        if deed.step < 0:  # of a plan that is no more
            break
        if deed.status == "failure":
            count += 1
        elif deed.status == "success" and deed.action.name not in _PREPARES:
            break
    return count


def limit_reached(deeds: tuple[Deed, ...], step: int) -> LimitReached | None:
    """The error to end the task with, its detail saying what was tried; None while it may go on."""
    if failures_in_a_row(deeds) >= MAX_FAILURES:
        return MaxConsecutiveFailures(f"{MAX_FAILURES} actions failed in a row. {tried(deeds)}")
    if attempt(deeds, step) > MAX_RETRIES:
        here = tuple(deed for deed in deeds if deed.step == step)
        return MaxRetriesExceeded(f"{_COUNT} other ways were tried, and none worked. {tried(here)}")
    return None


def tried(deeds: tuple[Deed, ...]) -> str:
    """What was tried and what came of it, in one sentence; empty when nothing was."""
    told = dict.fromkeys(_told(deed) for deed in deeds if deed.status != "pending")
    return f"Tried: {'; '.join(told)}." if told else ""


def _told(deed: Deed) -> str:
    what = deed.description or deed.action.text
    outcome = {"success": "done", "failure": "failed", "unknown": "outcome not known"}[deed.status]
    return f"{what} ({outcome}{': ' + deed.note if deed.note and deed.status != 'success' else ''})"


def named(refinement: Refinement, situation: Situation) -> Correction | None:
    """The correction that the refinement is.

    None for one more look before a failure is believed, and where there is nothing left to try.
    """
    if refinement.strategy == SECOND_LOOK or refinement.outcome == "missing":
        return None
    return Correction(
        strategy=refinement.strategy or refinement.thought or refinement.outcome,
        attempt=attempt(situation.deeds, situation.plan.current),
        source=refinement.source or ("model" if refinement.maker == "model" else "strategy"),
    )
