"""A step that the agent could not do and the person may: the offer, what the person did while they had
the page, and how the task continues.

If the person did the last step, the page decides whether the goal counts as done.
"""

from collections.abc import Sequence

from app.domain.action import MAY_PRESS, ActionRecord
from app.domain.hitl import Option, Question, UserAction
from app.domain.page import Observation
from app.domain.plan import Outcome, Plan, PlanStep
from app.domain.reasoner import Situation
from app.domain.verdict import Verdict
from app.page import fingerprint, is_message, is_opener, message_kind, new_messages
from app.plans import has_next_subtask, plain_text, start_next_subtask
from app.recovery.assessment import Assessment
from app.recovery.chain_outcome import as_undecided
from app.recovery.failed_case import FailedCase
from app.recovery.plan_revision import is_aside
from app.recovery.strategies import is_dismissal
from app.text.lexicon import does, is_risky, speaks_of, words
from app.verification import claim_holds, count_mentions, count_rows_naming

_SHORTEST = 2  # characters of a value that says something where it is seen
YOURS = "You did the last step"
_DID = {"click": "pressed", "type": "typed into", "choose": "chose in", "navigate": "went to",
        "submit": "submitted"}  # fmt: skip


def offer_handover(outcome: Outcome, plan: Plan) -> Outcome:
    if outcome.status != "failed" or outcome.hand_over is not None or plan.step is None:
        return outcome
    return outcome.model_copy(update={"hand_over": plan.step.description})


def describe_offer(step: str) -> str:
    return f"You can do this yourself: {step.rstrip('. ')}. Then let me go on from there."


def resume_after_person(plan: Plan, outcome: Outcome | None) -> Plan:
    """The plan after the person did what was handed over.

    That is the current step, unless something else was requested (to sign in); then the step
    remains.
    """
    requested = outcome.hand_over if outcome is not None else None
    step = plan.step
    if not plan.steps or (
        step is not None and requested is not None and requested != step.description
    ):
        return plan
    advanced = mark_done_by_person(plan)
    return (
        start_next_subtask(advanced)
        if advanced.step is None and has_next_subtask(advanced)
        else advanced
    )


def mark_done_by_person(plan: Plan) -> Plan:
    """The plan after its current step, done by the person; without one, the last step."""
    at = min(plan.current, len(plan.steps) - 1)
    advanced = plan.advanced()
    by_person = {"status": "completed", "by_person": True}
    steps = tuple(
        step.model_copy(update=by_person) if n == at else step
        for n, step in enumerate(advanced.steps)
    )
    return advanced.model_copy(update={"steps": steps})


def must_reread(plan: Plan) -> bool:
    """Whether the steps' readings held a secret and must be made again, since the person did one."""
    is_taken_over = any(step.by_person for step in plan.steps)
    unread = any(step.directive is None for step in plan.steps)
    return plan.maker == "rules" and is_taken_over and unread


def restore_plan(plan: Plan, restored: Plan) -> Plan | None:
    """The plan with its readings restored; None if the words now give another plan."""
    if len(plan.steps) != len(restored.steps):
        return None
    steps = tuple(
        new.model_copy(update={"status": old.status, "by_person": old.by_person})
        for old, new in zip(plan.steps, restored.steps, strict=True)
    )
    return restored.model_copy(update={"steps": steps, "current": plan.current})


def person_ended_outcome(situation: Situation) -> Outcome | None:
    """The outcome of a run whose last step the person did, by the page; None for other runs."""
    plan = situation.plan
    if plan.step is not None or not plan.steps or not plan.steps[-1].by_person:
        return None
    if situation.verdict is not None:
        return None
    evidence = _page_evidence(situation)
    if evidence is None:
        message = f"{YOURS}; the page does not show that it worked"
        return Outcome(status="failed", message=f"{message}: {situation.goal}")
    return Outcome(status="completed", message=f"{YOURS}; {evidence}.")


def _page_evidence(situation: Situation) -> str | None:
    """The page's evidence for the goal, in words; None without any or with an error."""
    page = situation.page
    if shows_error(page):
        return None
    if (name := _deleted_name(situation)) is not None:
        listed = count_rows_naming(page, name)
        return None if listed else f"'{name}' is not on the page any more"
    if (pressed := _pressed_name(situation)) is not None:
        return f"you pressed '{pressed}', which is what was asked for"
    mentioned = [value for value in _goal_values(situation) if count_mentions(page, value)]
    if mentioned:
        return f"the page shows '{max(mentioned, key=len)}'"
    texts = [*page.successes, *(node.name for node in page.tree if is_message(node))]
    message = next((text for text in texts if message_kind(text) == "success"), None)
    if message is not None:
        return f"the page says: {message}"
    return "the page shows it" if claim_holds(situation.goal, page) else None


def shows_error(page: Observation) -> bool:
    if page.errors or any("invalid" in node.states for node in page.tree):
        return True
    return any(is_message(node) and message_kind(node.name) == "error" for node in page.tree)


def _pressed_name(situation: Situation) -> str | None:
    """The person's press, if the last step is only that and is no submit or irreversible press."""
    directive = situation.plan.steps[-1].directive
    if directive is None or directive.verb != "click" or directive.target is None:
        return None
    name = directive.target.phrase
    if is_risky(name) or speaks_of("submit", name):
        return None
    acts = (act for act in situation.background.acts if act.kind in ("click", "submit"))
    return next((act.name for act in acts if words(act.name) == words(name)), None)


def _deleted_name(situation: Situation) -> str | None:
    directives = situation.instruction.directives if situation.instruction else ()
    last = directives[-1] if directives else None
    if last is None or last.verb != "delete" or last.target is None or last.target.all:
        return None
    return last.target.within or last.target.phrase or None


def _goal_values(situation: Situation) -> list[str]:
    directives = situation.instruction.directives if situation.instruction else ()
    values = [pair.value for directive in directives for pair in directive.fields]
    return [value for value in values if len(value.strip()) >= _SHORTEST]


def describe_person_act(act: UserAction) -> str:
    """'pressed btn 'Save''; typed text is unknown."""
    if act.kind == "navigate":
        return f"{_DID[act.kind]} {act.url}".rstrip()
    return f"{_DID[act.kind]} {act.role} '{act.name}'".replace("  ", " ")


HAPPENED, DID_NOT = "yes", "no"
THEIRS = "The person had the page since, and what it shows may be what they did"
_CHANGING = frozenset({"click", "submit", "navigate"})
_SHOWN = 160  # characters of an action in the question
# What is entered, gone to or looked at is the same done twice, and the page shows whether it is so.
_DOING = MAY_PRESS | {"dragTo", "uploadFile"}
_SHOWS = frozenset({"link", "tab", "rad", "opt"})
_MOVES = ("escape", "tab", "home", "end", "page", "arrow")  # how the names of such keys begin


def find_doubtful(
    plan: Plan, records: Sequence[ActionRecord], page: Observation
) -> ActionRecord | None:
    """The current step's last action of unknown result that must not be repeated blindly."""
    consequential = reversed(_consequential_records(plan, records, page))
    return next((record for record in consequential if record.status == "unknown"), None)


def doubt_if_by_person(
    verdict: Verdict, assessment: Assessment, acts: Sequence[UserAction]
) -> Verdict:
    """Doubt a success that nobody saw and that may be the person's, unless a message says so."""
    if not verdict.succeeded or assessment.report.status != "unknown":
        return verdict
    if not any(act.kind in _CHANGING for act in acts):
        return verdict
    context, executed_index = assessment.context, assessment.report.executed_index
    first = 0 if executed_index is None else executed_index + 1
    begun = {message.action_id for message in context.judged.actions[first:]}
    records = _consequential_records(context.plan, context.records, assessment.page)
    if not any(record.action_id in begun for record in records):
        return verdict
    if any(
        message.kind == "success" for message in new_messages(assessment.before, assessment.page)
    ):
        return verdict
    return as_undecided(verdict, THEIRS)


def _consequential_records(
    plan: Plan, records: Sequence[ActionRecord], page: Observation
) -> list[ActionRecord]:
    """The current step's actions that must not be repeated blindly."""
    if plan.step is None or is_aside(plan.step):
        return []
    return [record for record in records if record.step == plan.current and _counts(record, page)]


def _counts(record: ActionRecord, page: Observation) -> bool:
    if record.action.name not in _DOING or record.purpose == "explore" or is_dismissal(record):
        return False
    if record.action.name == "pressKey":
        return not str(record.action.args["key"]).lower().startswith(_MOVES)
    case = FailedCase(record=record, page=page, attempts=())
    shows = record.signature is not None and record.signature[0] in _SHOWS
    return case.is_submit or not (shows or (case.node is not None and is_opener(case.node)))


def follow_person(
    plan: Plan, acts: Sequence[UserAction], before: Observation, after: Observation
) -> Plan | None:
    """The plan if the person did the step after the current one, which so is done; else None."""
    following = plan.advanced()
    credited = credit_person(following, acts, before, after)
    return None if credited is following else credited


def outcome_question(record: ActionRecord) -> Question:
    description = plain_text(record.description or record.action.masked.text, _SHOWN)
    return Question(
        text=f"I had begun “{description}” when you took over, and could not see what came of it. "
        "Did it happen?",
        source="missing_info",
        return_to="step_refinement/continue",
        options=(
            Option(id=HAPPENED, label="Yes, it happened"),
            Option(id=DID_NOT, label="No, it did not"),
        ),
        action_id=record.action_id,
    )


_PRESSED = frozenset({"click", "open", "close", "check", "uncheck", "submit"})


def credit_person(
    plan: Plan, acts: Sequence[UserAction], before: Observation, after: Observation
) -> Plan:
    """Skip the steps that the person did in order; an unchanged or complaining page shows none."""
    if shows_error(after) or fingerprint(before) == fingerprint(after):
        return plan
    for act in acts:
        step, is_last = plan.step, plan.current >= len(plan.steps) - 1
        if step is None or (is_last and has_next_subtask(plan)):
            break
        if not is_aside(step) and _is_done_by(act, step, before, after):
            plan = mark_done_by_person(plan)
    return plan


def _is_done_by(act: UserAction, step: PlanStep, before: Observation, after: Observation) -> bool:
    directive, pressed = step.directive, act.kind in ("click", "submit")
    if directive is None or not (pressed or act.kind == "choose"):
        return False
    target = directive.target
    if directive.verb == "delete":
        name = (target.within or target.phrase) if target and not target.all else ""
        is_row_gone = count_rows_naming(before, name) > 0 and not count_rows_naming(after, name)
        return pressed and bool(name) and is_row_gone and "destroys" in does(act.name)
    if directive.verb == "submit" and act.kind == "submit":
        return True
    target_words = words(target.phrase) if target else ""
    return directive.verb in _PRESSED and bool(target_words) and words(act.name) == target_words
