"""A step that the agent could not do and the person may: the offer, and how the task continues.

If the person did the last step, the page decides whether the goal counts as done.
"""

from app.domain.hitl import UserAction
from app.domain.page import Observation
from app.domain.plan import Outcome, Plan
from app.domain.reasoner import Situation
from app.page import is_message, message_kind
from app.plans import has_next_subtask, start_next_subtask
from app.text.lexicon import is_risky, speaks_of, words
from app.verification import claim_holds, count_mentions, count_rows_naming

_SHORTEST = 2  # characters of a value that says something where it is seen
YOURS = "You did the last step"
_DID = {
    "click": "pressed",
    "type": "typed into",
    "choose": "chose in",
    "navigate": "went to",
    "submit": "submitted",
}


def offer_handover(outcome: Outcome, plan: Plan) -> Outcome:
    """A failure with the current step as an offer to the person."""
    if outcome.status != "failed" or outcome.hand_over is not None or plan.step is None:
        return outcome
    return outcome.model_copy(update={"hand_over": plan.step.description})


def describe_offer(step: str) -> str:
    """The offer, in words."""
    return f"You can do this yourself: {step.rstrip('. ')}. Then let me go on from there."


def resume_after_person(plan: Plan, outcome: Outcome | None) -> Plan:
    """The plan after the person did what was handed over.

    That is the current step, unless something else was requested (to sign in); then the step
    remains.
    """
    asked = outcome.hand_over if outcome is not None else None
    step = plan.step
    if not plan.steps or (step is not None and asked is not None and asked != step.description):
        return plan
    done = mark_done_by_person(plan)
    return start_next_subtask(done) if done.step is None and has_next_subtask(done) else done


def mark_done_by_person(plan: Plan) -> Plan:
    """The plan after its current step, done by the person; without one, the last step."""
    at = min(plan.current, len(plan.steps) - 1)
    done = plan.advanced()
    by_person = {"status": "completed", "by_person": True}
    steps = tuple(
        step.model_copy(update=by_person) if n == at else step for n, step in enumerate(done.steps)
    )
    return done.model_copy(update={"steps": steps})


def must_reread(plan: Plan) -> bool:
    """Whether the steps' readings held a secret and must be made again, since the person did one."""
    is_taken_over = any(step.by_person for step in plan.steps)
    unread = any(step.directive is None for step in plan.steps)
    return plan.maker == "rules" and is_taken_over and unread


def restore_plan(plan: Plan, read: Plan) -> Plan | None:
    """The plan with its readings restored; None if the words now give another plan."""
    if len(plan.steps) != len(read.steps):
        return None
    steps = tuple(
        new.model_copy(update={"status": old.status, "by_person": old.by_person})
        for old, new in zip(plan.steps, read.steps, strict=True)
    )
    return read.model_copy(update={"steps": steps, "current": plan.current})


def person_ended_outcome(situation: Situation) -> Outcome | None:
    """The outcome of a run whose last step the person did, by the page; None for other runs."""
    plan = situation.plan
    if plan.step is not None or not plan.steps or not plan.steps[-1].by_person:
        return None
    if situation.verdict is not None:
        return None
    shown = _shown(situation)
    if shown is None:
        message = f"{YOURS}; the page does not show that it worked"
        return Outcome(status="failed", message=f"{message}: {situation.goal}")
    return Outcome(status="completed", message=f"{YOURS}; {shown}.")


def _shown(situation: Situation) -> str | None:
    """The page's evidence for the goal, in words; None without any or with an error."""
    page = situation.page
    if shows_error(page):
        return None
    if (name := _deleted(situation)) is not None:
        listed = count_rows_naming(page, name)
        return None if listed else f"'{name}' is not on the page any more"
    if (pressed := _pressed(situation)) is not None:
        return f"you pressed '{pressed}', which is what was asked for"
    seen = [value for value in _values(situation) if count_mentions(page, value)]
    if seen:
        return f"the page shows '{max(seen, key=len)}'"
    if (said := _success(page)) is not None:
        return f"the page says: {said}"
    return "the page shows it" if claim_holds(situation.goal, page) else None


def shows_error(page: Observation) -> bool:
    """Whether the page shows an error."""
    if page.errors or any("invalid" in node.states for node in page.tree):
        return True
    return any(is_message(node) and message_kind(node.name) == "error" for node in page.tree)


def _success(page: Observation) -> str | None:
    texts = [*page.successes, *(node.name for node in page.tree if is_message(node))]
    return next((text for text in texts if message_kind(text) == "success"), None)


def _pressed(situation: Situation) -> str | None:
    """The person's observed press, if the last step is just that press. Submits and irreversible presses
    need evidence on the page.
    """
    asked = situation.plan.steps[-1].directive
    if asked is None or asked.verb != "click" or asked.target is None:
        return None
    name = asked.target.phrase
    if is_risky(name) or speaks_of("submit", name):
        return None
    acts = (act for act in situation.background.acts if act.kind in ("click", "submit"))
    return next((act.name for act in acts if words(act.name) == words(name)), None)


def _deleted(situation: Situation) -> str | None:
    """The record that the last step was to delete."""
    asked = situation.instruction.directives if situation.instruction else ()
    last = asked[-1] if asked else None
    if last is None or last.verb != "delete" or last.target is None or last.target.all:
        return None
    return last.target.within or last.target.phrase or None


def _values(situation: Situation) -> list[str]:
    """The values that the person wanted entered."""
    asked = situation.instruction.directives if situation.instruction else ()
    values = [pair.value for directive in asked for pair in directive.fields]
    return [value for value in values if len(value.strip()) >= _SHORTEST]


def describe_person_act(act: UserAction) -> str:
    """'pressed btn 'Save''; typed text is unknown."""
    if act.kind == "navigate":
        return f"{_DID[act.kind]} {act.url}".rstrip()
    return f"{_DID[act.kind]} {act.role} '{act.name}'".replace("  ", " ")
