"""A run's progress after each look: what is done, what is next, when it ends or repeats itself."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from app.domain.action import ActionRecord, ClientReport
from app.domain.directive import Candidate
from app.domain.page import Observation
from app.domain.plan import Contingency, Decision, Outcome, Plan
from app.domain.reasoner import Situation
from app.domain.verdict import RePlan, Verdict
from app.errors import MaxStepsExceeded
from app.page import fingerprint, page_similarity
from app.plans import closing_message, has_next_subtask, replace_remaining
from app.recovery.assessment import Assessment
from app.recovery.chain_outcome import last_begun_index, records_after, set_status, was_silent
from app.recovery.failed_case import describe_attempts, find_limit_error
from app.recovery.handover import person_ended_outcome
from app.recovery.plan_revision import (
    detect_page_change,
    find_contingency,
    insert_contingency,
    is_aside,
    is_signed_out,
    signed_out_outcome,
)

TRIED = "Tried:"  # how `tried` begins
WARNED = "told of a loop"  # the note of the action after which a model was


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The result of the last chain, and the state of the run.

    `subtask_ended`: the current sub-task is done and another follows. `contingency`: the contingency
    that the page shows after a failure; `plan` and `records` include its steps already. `page_change`: the
    page has changed so that the plan must be reconsidered.
    """

    verdict: Verdict
    report: ClientReport
    plan: Plan
    records: tuple[ActionRecord, ...]
    similarity: float
    outcome: Outcome | None
    subtask_ended: bool = False
    contingency: Contingency | None = None
    page_change: RePlan | None = None


def settle_chain(assessment: Assessment, verdict: Verdict) -> Judgement:
    """Settles the records of the judged chain, and advances the plan and counters.

    If the last step is done and the page does not show the goal, there is no outcome yet: the
    reasoner is asked once more, with no step left.
    """
    context, page, report = assessment.context, assessment.page, assessment.report
    records, plan, old_page = context.records, context.plan, assessment.before
    if context.waited:
        records = set_status(records, context.chain, "success", upto=len(context.chain.actions))
    worked = bool(verdict.succeeded)
    reached = last_begun_index(context.judged, report, old_page, page, worked=worked)
    silent = not worked and was_silent(context.judged, records, page, waited=context.waited)
    records = records_after(
        records, context.judged, verdict, report, reached=reached, silent=silent
    )
    step_ended = worked and context.judged.completes_step
    if step_ended and plan.step is not None:
        plan = plan.advanced()
    is_last = worked and plan.step is None
    subtask_ended = is_last and verdict.goal_achieved and has_next_subtask(plan)
    if subtask_ended:
        verdict = verdict.model_copy(update={"task_completed": False})
    judgement = Judgement(
        verdict=verdict,
        report=report,
        plan=plan,
        records=records,
        similarity=(likeness := page_similarity(old_page, page)),
        page_change=detect_page_change(old_page, page, likeness) if worked else None,
        outcome=None,
        subtask_ended=subtask_ended,
    )
    if is_last and (verdict.goal_achieved or subtask_ended):
        outcome = None if subtask_ended else conclude_run(context.goal, verdict, records, plan)
        return replace(judgement, outcome=outcome)
    thought = find_loop(
        records,
        times=requested_repeats(context.plan),
        own=context.plan.maker != "model",
        ended=step_ended,
        current_fingerprint=lambda: fingerprint(page),
    )
    if thought and context.plan.maker == "model" and not any(d.note == WARNED for d in records):
        judgement = _warn_of_loop(judgement, thought)
    elif thought:
        message = f"{thought} {describe_attempts(records)}".strip()
        return replace(judgement, outcome=Outcome(status="failed", message=message))
    return judgement if worked else _insert_met_contingency(judgement, context.goal, page)


def _warn_of_loop(judgement: Judgement, thought: str) -> Judgement:
    """Warn the model once of a possible loop, before the next one ends the task."""
    *earlier, last = judgement.records
    records = (*earlier, last.model_copy(update={"note": WARNED}))
    reason = f"{judgement.verdict.reason.rstrip('. ')}. {thought}"
    verdict = judgement.verdict.model_copy(update={"reason": reason})
    return replace(judgement, records=records, verdict=verdict)


def _insert_met_contingency(judgement: Judgement, goal: str, page: Observation) -> Judgement:
    situation = Situation(goal=goal, page=page, plan=judgement.plan, records=judgement.records)
    contingency = find_contingency(situation, failed=True)
    if contingency is None:
        return judgement
    plan, records = insert_contingency(situation, contingency)
    return replace(judgement, plan=plan, records=records, contingency=contingency)


def advance_after_decision(
    refinement: Decision, situation: Situation
) -> tuple[Plan, Outcome | None]:
    """The plan after a decision, and the outcome if the run ends; failed detours are skipped."""
    plan = situation.plan
    if refinement.plan is not None:
        plan = replace_remaining(plan, refinement.plan)
    if refinement.outcome in {"ambiguous", "missing", "fail"} and plan.step and is_aside(plan.step):
        return plan.advanced("skipped"), None
    match refinement.outcome:
        case "act" | "look" | "search" | "read" | "ask":
            return plan, None
        case "finish":
            closing_text = refinement.reason.strip() or f"Done. {situation.goal}"
            return plan, closing_message(closing_text, situation)
        case "fail" | "missing":
            return plan, failed_outcome(refinement.reason, situation.records)
        case "answer":
            plan = plan.advanced() if plan.step is not None else plan
            return plan, Outcome(status="completed", message=refinement.reason)
        case "done":
            return _skip_done_step(plan, situation)
        case "ambiguous":
            message = f"{refinement.reason or 'Several things fit'}: "
            message += "; ".join(describe_candidate(c) for c in refinement.candidates[:5])
            return plan, Outcome(status="failed", message=f"{message}. Say which one.")


def _skip_done_step(plan: Plan, situation: Situation) -> tuple[Plan, Outcome | None]:
    """The next step; at the end of the plan, the outcome of the last verdict."""
    if plan.step is None:
        end = person_ended_outcome(situation)
        return plan, end or conclude_run(situation.goal, situation.verdict, situation.records, plan)
    plan = plan.advanced()
    if plan.step is not None:
        return plan, None
    last = situation.verdict
    doubt = last if last is not None and last.doubted else None
    return plan, conclude_run(situation.goal, doubt, situation.records, plan)


def outcome_after_correction(
    refinement: Decision, verdict: Verdict, situation: Situation
) -> Outcome | None:
    if refinement.outcome in {"act", "done"}:
        return None
    return failed_outcome(refinement.reason or verdict.reason, situation.records)


def failed_outcome(reason: str, records: tuple[ActionRecord, ...]) -> Outcome:
    attempts = describe_attempts(records)
    if attempts and TRIED not in reason:
        reason = f"{reason.rstrip('. ')}. {attempts}"
    return Outcome(status="failed", message=reason)


def describe_candidate(candidate: Candidate) -> str:
    """A candidate by its name and innermost container: 'Delete' (Jas Patel, 1990)."""
    _, _, place = candidate.group.split(" > ")[-1].partition(":")
    return f"'{candidate.name}'" + (f" ({place.strip()})" if place.strip() else "")


def conclude_run(
    goal: str, verdict: Verdict | None, records: tuple[ActionRecord, ...], plan: Plan
) -> Outcome:
    if verdict is None and not records:
        return Outcome(status="completed", message=f"This is so already: {goal}")
    if verdict is not None and not verdict.goal_achieved:
        message = f"Every step was done, but the page does not confirm it: {verdict.reason}"
        return Outcome(status="failed", message=message)
    result = verdict.reason.rstrip(".") if verdict and verdict.reason else goal
    return Outcome(status="completed", message=f"Done. {result[:1].upper()}{result[1:]}.")


def step_limit_outcome(steps: int, limit: int, records: tuple[ActionRecord, ...]) -> Outcome | None:
    """`MAX_STEPS_EXCEEDED` once a task has sent its maximum of chains."""
    if steps < limit:
        return None
    message = f"Stopped after {steps} steps. {describe_attempts(records)}".strip()
    return Outcome(status="failed", message=message, code=MaxStepsExceeded.code)


def hopeless_outcome(situation: Situation) -> Outcome | None:
    """The outcome if no correction may be tried: signed out, or at a limit of attempts."""
    if is_signed_out(situation):
        return signed_out_outcome(situation)
    reached = find_limit_error(situation.records, situation.plan.current)
    if reached is None:
        return None
    return Outcome(status="failed", message=reached.detail, code=reached.code)


VELOCITY = 5  # DESIGN, "Loops": successes in a row without progress
MOST_ALIKE = 20  # things of one name that "all" may mean
_TWICE = 2  # a "Try again" may be pressed once more on a page that looks the same
_PATIENCE = 3  # and these a little longer
_PATIENT = frozenset({"wait", "scroll", "pressKey"})
_ENTERING = frozenset({"setValue", "selectOption", "setChecked", "uploadFile"})
_CHOICES = frozenset({"chk", "rad", "opt", "sel"})

_Chain = tuple[ActionRecord, ...]
_Key = tuple[str, tuple[str, str, str] | None]


def requested_repeats(plan: Plan) -> int:
    """How often the person's command says to do the current step."""
    directive = plan.step.directive if plan.step is not None else None
    if directive is None:
        return 1
    is_for_all = directive.target is not None and directive.target.all
    return MOST_ALIKE if is_for_all else directive.times


def find_loop(
    records: tuple[ActionRecord, ...],
    *,
    times: int = 1,
    own: bool = True,
    ended: bool = False,
    current_fingerprint: Callable[[], str] | None = None,
) -> str | None:
    """Why the run should stop, naming what repeats; None while it progresses.

    `times`: see `requested_repeats`. `own`: the steps are the person's, so each is intended and may
    repeat another. `ended`: the last chain completed its step, which is progress.
    `current_fingerprint` returns the page's fingerprint.
    """
    if ended and own:
        return None
    repeated = _explain_repetition(records, times, own=own, current_fingerprint=current_fingerprint)
    return (
        repeated if repeated or ended else _explain_no_progress(records, times, current_fingerprint)
    )


def _explain_repetition(
    records: tuple[ActionRecord, ...],
    times: int,
    *,
    own: bool,
    current_fingerprint: Callable[[], str] | None,
) -> str | None:
    """The same action on the same element on pages that look the same.

    Only successful actions count: corrections repeat failed ones on purpose. Once more is no loop
    if it led to a new page.
    """
    last = records[-1] if records else None
    if last is None or not _counts(last):
        return None

    def is_same(record: ActionRecord) -> bool:
        alike = (
            _counts(record)
            and record.fingerprint == last.fingerprint
            and _key(record) == _key(last)
        )
        return alike and (not own or record.step == last.step)

    count = sum(any(map(is_same, chain)) for chain in _chains(records))
    allowed = max(times, _PATIENCE if last.action.name in _PATIENT else _TWICE)
    is_new = current_fingerprint is not None and current_fingerprint() not in {
        record.fingerprint for record in records
    }
    if count <= allowed or (count == allowed + 1 and is_new):
        return None
    return (
        f"{_quoted(last)} was done {count} times on a page that looked the same each time; "
        "doing it again would not help"
    )


def _explain_no_progress(
    records: tuple[ActionRecord, ...], times: int, current_fingerprint: Callable[[], str] | None
) -> str | None:
    """Successes in a row that completed no step, filled no field and led to no new page."""
    pages: set[str] = set()
    seen_keys: set[_Key] = set()
    idle: list[ActionRecord] = []
    step = -1
    for chain in _chains(records):
        last = chain[-1]
        gets_on = last.step > step or any(_fills(d) and _key(d) not in seen_keys for d in chain)
        is_new_page = bool(chain[0].fingerprint) and chain[0].fingerprint not in pages
        step = max(step, last.step)
        pages.add(chain[0].fingerprint)
        if any(record.status != "success" for record in chain):
            idle = []
            continue
        seen_keys |= {_key(record) for record in chain}
        idle = [] if gets_on or is_new_page else [*idle, last]
    if len(idle) >= max(VELOCITY, times) and not (
        current_fingerprint and current_fingerprint() not in pages
    ):
        actions = ", ".join(dict.fromkeys(_quoted(record) for record in idle[-VELOCITY:]))
        return f"{len(idle)} actions in a row worked but brought nothing new: {actions}"
    return None


def _chains(records: Iterable[ActionRecord]) -> list[_Chain]:
    """The records by chain, since repetition within one is intended; others stand alone."""
    numbered = enumerate(records, start=1)
    grouped = groupby(numbered, key=lambda pair: pair[1].chain_number or -pair[0])
    return [tuple(record for _, record in group) for _, group in grouped]


def _key(record: ActionRecord) -> _Key:
    """The action with its exact element; two of one name are two."""
    return record.action.text, record.signature


def _fills(record: ActionRecord) -> bool:
    role = record.signature[0] if record.signature else ""
    return record.action.name in _ENTERING or (record.action.name == "click" and role in _CHOICES)


def _quoted(record: ActionRecord) -> str:
    return f"'{record.description or record.action.text}'"


def _counts(record: ActionRecord) -> bool:
    return record.status == "success" and record.purpose != "correct" and bool(record.fingerprint)
