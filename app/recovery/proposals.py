"""The next attempt for a step whose last action failed, or an honest end; and its record: what failed,
what is tried, and the result.
"""

from collections.abc import Iterable

from app.domain.action import ActionRecord, PlannedAction, action
from app.domain.directive import Candidate
from app.domain.memory import FailedState, Repair, RepairStatus, SuccessfulAction
from app.domain.page import ElementRef, Node, Observation, ObservedDialog
from app.domain.plan import Correction, Decision, Proposal
from app.domain.reasoner import Situation
from app.domain.verdict import Verdict
from app.page import GOING_ON, enclosing_form, fields_in
from app.plans import Dispatch, decide_dialog, dialog_question
from app.recovery.chain_outcome import SECOND_LOOK, VERIFICATION_FAILED
from app.recovery.failed_case import (
    ANSWER,
    PREPARES,
    WAITS,
    FailedCase,
    agree_to_page,
    corrective_decision,
    describe_attempts,
    find_limit_error,
    pause_action,
)
from app.recovery.plan_revision import is_aside
from app.recovery.strategies import DISMISS, is_dismissal, list_strategies, resubmit
from app.skills import element_ref, generalize_call
from app.text.lexicon import words
from app.verification import NEVER_BEGAN


def propose_correction(
    situation: Situation, reason: str, *, alternatives: Iterable[Candidate] = ()
) -> Decision:
    """What to try after the current step's last action failed for `reason`.

    Nothing that may have been submitted is submitted again: after a submit of unknown result the
    only option is to wait and look. With nothing left, `missing` lists the attempts.
    """
    step = situation.plan.step
    attempts = tuple(
        record for record in situation.records if record.step == situation.plan.current
    )
    if find_limit_error(situation.records, situation.plan.current) is not None:
        return _give_up(reason, attempts)
    failed = _last_failed(attempts)
    if failed is None:
        return _look_for_target(reason, attempts)
    if (dialog := dialog_question(situation.page)) is not None:
        return _answer_dialog(situation, failed, dialog) or _give_up(reason, attempts)
    if failed.status != "success" and (yes := agree_to_page(situation, failed)) is not None:
        return limit_completion(failed, yes)
    if step is not None and is_aside(step) and failed.status == "unknown":
        return Decision(outcome="done", reason="What is still in front is put aside when it blocks")
    case = FailedCase(record=failed, page=situation.page, attempts=attempts, reason=reason)
    return limit_completion(failed, _next(situation, case, alternatives))


def find_mendable(situation: Situation) -> ActionRecord | None:
    """The step's failed action; None without one, at a limit, or if a question comes first."""
    step = situation.plan.current
    if find_limit_error(situation.records, step) or dialog_question(situation.page):
        return None
    return _last_failed(tuple(record for record in situation.records if record.step == step))


def awaits_answer(situation: Situation) -> bool:
    """Whether a submit is pending whose arrival is unknown."""
    failed = find_mendable(situation)
    if failed is None or failed.action.target is None:
        return False
    return FailedCase(record=failed, page=situation.page, attempts=()).is_submit


def limit_completion(failed: ActionRecord, decision: Decision) -> Decision:
    """The correction, which completes the step only if the failed action would have."""
    return decision if failed.ends_step else decision.model_copy(update={"completes_step": False})


def _next(situation: Situation, case: FailedCase, alternatives: Iterable[Candidate]) -> Decision:
    if case.is_submit:
        return _after_submit(situation, case)
    if case.reason.startswith(GOING_ON):
        return _wait_again(case, "The page is at work") or _give_up(case.reason, case.attempts)
    # A wait or scroll that did not help gives no reason of its own.
    last = case.attempts[-1] if case.attempts else case.record
    why = case.record.note or case.reason if last.action.name in PREPARES else case.reason
    return next(list_strategies(case, alternatives), None) or _give_up(why, case.attempts)


def _answer_dialog(
    situation: Situation, failed: ActionRecord, dialog: ObservedDialog
) -> Decision | None:
    """The action again with the dialog answered, if the person asked for exactly that.

    A dismissed dialog means it did not happen, unless the page sent a request anyway: then it is
    not repeated.
    """
    on = failed.signature[1] if failed.signature else ""
    decided = decide_dialog(dialog, situation.plan, on=on)
    if decided is None or situation.page.client.network:
        return None
    retry = Proposal(
        action=failed.action, description=failed.description, purpose="correct", dialog=decided
    )
    return Decision(
        outcome="act",
        thought=f"The page asks “{dialog.message}”, which is what was asked for",
        proposals=(retry,),
        confidence=0.8,
        strategy=ANSWER,
        source="strategy",
    )


def _wait_again(case: FailedCase, thought: str, first: str = "wait") -> Decision | None:
    """One more, longer wait; repeating would only start it again."""
    if case.waits >= len(WAITS):
        return None
    strategy = "wait" if case.waits else first
    return corrective_decision(strategy, thought, pause_action(WAITS[case.waits]), completes=False)


def _last_failed(attempts: tuple[ActionRecord, ...]) -> ActionRecord | None:
    """The action to correct: the last one that was no wait, scroll or dismissal."""
    for record in reversed(attempts):
        if record.purpose == "explore" and is_dismissal(record):
            continue
        helps = (
            record.action.name in PREPARES
            or record.status == "success"
            or record.strategy == DISMISS
        )
        if record.purpose != "correct" or not helps:
            return record
    return None


def _look_for_target(reason: str, attempts: tuple[ActionRecord, ...]) -> Decision:
    """The step's target is not there: wait, then look further down."""
    tried = {record.action.name for record in attempts}
    if "wait" not in tried:
        thought = "What the step needs is not here yet"
        return corrective_decision("wait", thought, pause_action(WAITS[0]), completes=False)
    if "scroll" not in tried:
        move = action("scroll", "page", "down"), "Scroll the page"
        thought = "What the step needs may be further down"
        return corrective_decision("scroll", thought, move, completes=False)
    return _give_up(reason, attempts)


def _after_submit(situation: Situation, case: FailedCase) -> Decision:
    """A refusal names what is missing; an unknown result is waited for; neither is clicked again.

    Only an action that the browser could not begin (its control was gone) is repeated. Its code
    alone tells, since reasons have words of the page or of a model that read it.
    """
    if (field := _field_at_fault(case)) is not None:
        name, reason = field.name or field.hint or "A field", case.reason
        is_named = words(name) in words(reason)
        return _missing(reason if is_named else f"{name}: {reason}", case.attempts)
    if (resubmission := resubmit(case)) is not None:
        return resubmission
    if case.record.status != "failure":
        thought = "Wait for the answer, and look once more"
        name = f"'{case.record.description or case.record.action.text}'"
        why = f"It cannot be told whether {name} went through"
        why = f"{why}; it is not done again without knowing"
        return _wait_again(case, thought, SECOND_LOOK) or _missing(why, case.attempts)
    correction = next(list_strategies(case, ()), None) if case.record.error in NEVER_BEGAN else None
    return correction or _give_up(case.reason, case.attempts)


def _field_at_fault(case: FailedCase) -> Node | None:
    """The field that the page marks or names in its refusal, or one that is missing."""
    group = case.record.signature[2] if case.record.signature else ""
    fields = fields_in(case.page, enclosing_form(Node(id="", role="btn", group=group)))
    failed = case.record.status == "failure"  # what went through may have emptied the form
    texts = (case.reason, *case.page.errors) if failed else case.page.errors
    refusal_words = f" {words(' '.join(texts))} "
    marked = [n for n in fields if "invalid" in n.states]
    named_fields = [n for n in fields if words(n.name) and f" {words(n.name)} " in refusal_words]
    empty = (n for n in fields if not n.value and "checked" not in n.states)
    missing = [n for n in empty if failed and "required" in n.states]
    return next(iter((*marked, *named_fields, *missing)), None)


def _missing(reason: str, attempts: tuple[ActionRecord, ...]) -> Decision:
    text = f"{reason.rstrip('.')}. {describe_attempts(attempts)}".strip()
    return Decision(outcome="missing", reason=text, completes_step=False)


def _give_up(reason: str, attempts: tuple[ActionRecord, ...]) -> Decision:
    return _missing(reason or "The step could not be done", attempts)


def begin_repair(
    refinement: Decision, correction: Correction | None, situation: Situation, sent: Dispatch
) -> Repair | None:
    """The repair sent with this chain; None if it corrects nothing, or only looks again."""
    if correction is None or not sent.chain.actions or refinement.strategy == SECOND_LOOK:
        return None
    if refinement.strategy is None and correction.source != "contingency":
        return None  # a choice made anew, after the correction was refused
    first = sent.chain.actions[0]
    ended = (d for d in reversed(situation.records) if d.status in ("failure", "unknown"))
    failed = next(ended, None)
    element = element_ref(failed.signature) if failed and failed.signature else None
    state = FailedState(action="")
    if failed is not None:
        state = FailedState(
            action=generalize_call(failed.action),
            element_description=element.text if element else "",
            error_type=failed.error or VERIFICATION_FAILED,
            element=element,
        )
    proposed = (one.skill for one in refinement.proposals if one.skill is not None)
    return Repair(
        repair_id=first.action_id,
        step=situation.plan.current,
        attempt=correction.attempt,
        source=correction.source,
        strategy=correction.strategy,
        reason=situation.verdict.reason if situation.verdict else "",
        failed=state,
        tried=_attempted_action(sent.chain.actions, correction.strategy, situation.page),
        skill=next(proposed, None),
    )


def settle_repair(repair: Repair | None, verdict: Verdict) -> Repair | None:
    if repair is None or repair.status != "pending":
        return repair
    return repair.model_copy(update={"status": repair_status(verdict)})


def repair_status(verdict: Verdict) -> RepairStatus:
    if verdict.succeeded is None:
        return "unknown"
    return "success" if verdict.succeeded else "failure"


def _attempted_action(
    actions: tuple[PlannedAction, ...], strategy: str, page: Observation
) -> SuccessfulAction:
    acting = [one for one in actions if one.action.name not in PREPARES]
    action = (acting or list(actions))[0].action
    node = page.tree.get(action.target or "")
    element: ElementRef | None = element_ref(node.signature) if node is not None else None
    return SuccessfulAction(
        action=generalize_call(action),
        element_description=element.text if element else "",
        strategy=strategy,
        element=element,
    )
